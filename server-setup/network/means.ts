import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { hasProgram } from '../../host/has-program.js';
import { LoadlineError } from '../../model/errors.js';
import type { NetworkFacts } from '../../model/network-record.js';
import { umlLack } from './uml-box.js';

/** What a host has to shape links with, as it was found. */
export interface HostMeans {
  readonly kernel: string;
  /** /proc/config.gz unpacked, where the kernel keeps it. */
  readonly kernelConfig: string | undefined;
  /** Whether a netem module lies in the kernel's folder. */
  readonly netemModule: boolean;
  /** Programs of these names that may be run. */
  readonly programs: ReadonlySet<string>;
  readonly mayChangeNetworks: boolean;
  /** Why User-mode Linux does not come up, a sentence part; absent: it does, is not needed, or was not tried. */
  readonly umlLack?: string | undefined;
  /** Whether this host hands packets of others on (net.ipv4.ip_forward). */
  readonly forwards: boolean;
}

const always = ['ip', 'tc'];
const forUml = ['linux.uml', 'unshare', 'setpriv', 'insmod'];
/** Translates the addresses of probes on their way to a media server on another machine. */
const forOtherMachine = 'nft';
const install = 'apt-get install --no-install-recommends user-mode-linux iproute2 kmod';
const installNft = 'apt-get install --no-install-recommends nftables';

export type MeansChoice =
  | { readonly ok: true; readonly facts: NetworkFacts }
  | { readonly ok: false; readonly why: string; readonly todo: string };

/**
 * Which back end there is and why, or what is missing and what to type. Netem of the host's own kernel goes first. To a
 * media server on another machine the packets of probes leave this host, which needs more.
 */
export function chooseMeans(host: HostMeans, serverElsewhere = false): MeansChoice {
  const choice = chooseShaper(host);
  return choice.ok && serverElsewhere ? (lackOnTheWay(host) ?? choice) : choice;
}

function lackOnTheWay({ programs, forwards }: HostMeans): MeansChoice | undefined {
  if (!programs.has(forOtherMachine)) {
    return { ok: false, why: `${forOtherMachine} (nftables) is not installed`, todo: installNft };
  }
  if (forwards) return undefined;
  const why = 'this host does not forward packets (net.ipv4.ip_forward is not 1)';
  return { ok: false, why, todo: 'sysctl -w net.ipv4.ip_forward=1' };
}

function chooseShaper(host: HostMeans): MeansChoice {
  const { kernel, kernelConfig, programs, mayChangeNetworks, umlLack } = host;
  if (!mayChangeNetworks) {
    const why = 'network namespaces and qdiscs need root (CAP_NET_ADMIN and CAP_SYS_ADMIN)';
    return { ok: false, why, todo: 'sudo ./loadline …; in a container: --cap-add NET_ADMIN --cap-add SYS_ADMIN' };
  }
  const missing = always.filter((name) => !programs.has(name));
  if (missing.length > 0)
    return { ok: false, why: `${missing.join(' and ')} of iproute2 is not installed`, todo: install };
  if (hasNetem(host)) {
    return { ok: true, facts: { means: 'netem', why: `kernel ${kernel} has netem` } };
  }
  const lacks =
    kernelConfig === undefined ? `kernel ${kernel} shows no netem` : `kernel ${kernel} is built without netem`;
  const absent = forUml.filter((name) => !programs.has(name));
  if (absent.length === 0 && umlLack !== undefined) {
    const why = `${lacks}, and User-mode Linux does not come up: ${umlLack}`;
    return { ok: false, why, todo: 'use a host whose kernel has netem (modprobe sch_netem)' };
  }
  if (absent.length === 0)
    return { ok: true, facts: { means: 'user-mode-linux', why: `${lacks}, and User-mode Linux is here` } };
  return { ok: false, why: `${lacks}, and User-mode Linux is not whole (${absent.join(', ')} missing)`, todo: install };
}

export function meansError({ why, todo }: Extract<MeansChoice, { readonly ok: false }>): LoadlineError {
  const what = 'Networks cannot be impaired on this host.';
  return new LoadlineError('E_NETWORK_MEANS', what, { where: '--network', why, todo });
}

/** Looks at this host. Never rejects. */
export async function readHostMeans(path: string | undefined, kernel: string): Promise<HostMeans> {
  const names = [...always, ...forUml, forOtherMachine];
  // Also in the folders of administrators, which are not on everybody's PATH.
  const everywhere = `${path ?? ''}:/usr/sbin:/sbin:/usr/bin:/bin`;
  const [there, packed, modules, status, forwarding] = await Promise.all([
    Promise.all(names.map((name) => hasProgram(name, everywhere))),
    readFile('/proc/config.gz').catch(() => undefined),
    readdir(join('/lib/modules', kernel, 'kernel/net/sched')).catch((): string[] => []),
    readFile('/proc/self/status', 'utf8').catch(() => ''),
    readFile('/proc/sys/net/ipv4/ip_forward', 'utf8').catch(() => ''),
  ]);
  const config = packed ? (await promisify(gunzip)(packed).catch(() => undefined))?.toString() : undefined;
  return {
    kernel,
    kernelConfig: config,
    netemModule: modules.some((name) => name.startsWith('sch_netem.ko')),
    programs: new Set(names.filter((_, index) => there[index])),
    mayChangeNetworks: mayChangeNetworks(status),
    forwards: forwarding.trim() === '1',
  };
}

/** The same, and a User-mode Linux that would be relied on is started once, which takes some 2 s. Never rejects. */
export async function tryHostMeans(path: string | undefined, kernel: string): Promise<HostMeans> {
  const host = await readHostMeans(path, kernel);
  const choice = chooseShaper(host);
  return choice.ok && choice.facts.means === 'user-mode-linux' ? { ...host, umlLack: await umlLack() } : host;
}

const hasNetem = ({ kernelConfig, netemModule }: HostMeans): boolean =>
  netemModule || /^CONFIG_NET_SCH_NETEM=[ym]$/m.test(kernelConfig ?? '');

/** CAP_NET_ADMIN is bit 12, CAP_SYS_ADMIN bit 21 (capabilities(7)). */
export function mayChangeNetworks(status: string): boolean {
  const effective = /^CapEff:\s+([0-9a-f]+)$/m.exec(status)?.[1];
  const needed = (1n << 12n) | (1n << 21n);
  return effective !== undefined && (BigInt(`0x${effective}`) & needed) === needed;
}
