import { once } from '../../host/once.js';
import { makeNamespace, makeNat, makeVeth, raiseLink, setInside } from './group-link.js';
import { removeNamespace, removeNatTable } from './leftovers.js';
import { groupNames } from './names.js';
import { tryCommand } from './run-command.js';

interface HostLinksOptions {
  /** Hosts of this machine. */
  readonly count: number;
  /** Names what is made; the process that ends it. */
  readonly pid: number;
  /** The media server is on another machine: packets leave this one under its address. */
  readonly serverElsewhere: boolean;
}

/** A network namespace for each of several hosts here, linked to this one, so that each has its interfaces. */
export interface HostLinks {
  /** Of this machine, on which every host reaches what listens there. */
  readonly address: string;
  /** Words in front of a program's own that start it where the nth host is. */
  inside(nth: number): readonly string[];
  /** Idempotent, never rejects. */
  close(): Promise<void>;
}

/** Needs the rights to make namespaces. Throws E_NETWORK_LINK; then nothing is left. */
export async function makeHostLinks({ count, pid, serverElsewhere }: HostLinksOptions): Promise<HostLinks> {
  const hosts = Array.from({ length: count }, (_, nth) => groupNames(pid, nth));
  const close = once(async () => {
    for (const { namespace, hostDevice } of hosts) {
      await removeNamespace(namespace);
      await tryCommand(['ip', 'link', 'del', hostDevice]);
    }
    if (serverElsewhere) await removeNatTable(pid);
  });
  try {
    for (const names of hosts) {
      await makeNamespace(names.namespace);
      await makeVeth(names);
      await raiseLink(names);
      // The host may impair networks of its own, whose packets come through it.
      await setInside(names.namespace, 'net/ipv4/ip_forward', '1');
    }
    if (serverElsewhere) await makeNat(pid);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    address: groupNames(pid, 0).hostAddress,
    // Of the network alone, so that a namespace that the host makes has its name where all have theirs (nsenter(1)).
    inside: (nth) => ['nsenter', `--net=/run/netns/${groupNames(pid, nth).namespace}`, '--'],
    close,
  };
}
