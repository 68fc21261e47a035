import { hostName, hostOf, localHostId, type ProbeHost, type ProbeHostId } from '../../model/probe-host.js';
import type { Reason } from '../../model/verdict.js';
import { compareText } from '../wording/wording.js';
import type { JudgeInput } from './judge-input.js';

export interface HostPart {
  readonly host: ProbeHost;
  /** After "the probe host" in a sentence: nothing, of several " b", with its place where it has one. */
  readonly name: string;
  /**
   * Of the trial what is this host's: its probes and readings; the media server's load, too, where they share a
   * machine.
   */
  readonly input: JudgeInput;
}

const alone: ProbeHost = { id: localHostId, besideConductor: true };

/**
 * A trial by its hosts, each of which is judged by its own readings. All hosts are looked at whichever probes fail,
 * because what a probe receives was sent by others. A trial of one host is that host's as a whole.
 */
export function byHost(input: JudgeInput): readonly HostPart[] {
  const hosts = hostsOf(input);
  const [host = alone] = hosts;
  if (hosts.length < 2) return [{ host, name: '', input: ownOf(input, host) }];
  return hosts.map((one) => {
    const own = ownOf(input, one);
    const probeHost = own.evidence.probeHost.filter((reading) => hostOf(reading) === one.id);
    const probes = own.probes.filter((probe) => hostOf(probe) === one.id);
    return {
      host: one,
      name: ` ${hostName(one)}`,
      input: { ...own, probes, evidence: { ...own.evidence, probeHost } },
    };
  });
}

/** Those that the trial names, and any other that evidence comes from: nothing of what was read may be left out. */
function hostsOf({ hosts = [], probes, evidence }: JudgeInput): readonly ProbeHost[] {
  const known = new Map(hosts.map((host) => [host.id, host]));
  for (const id of [...probes, ...evidence.probeHost].map(hostOf)) {
    if (!known.has(id)) known.set(id, id === localHostId ? alone : { id });
  }
  return [...known.values()].sort((a, b) => compareText(a.id, b.id));
}

/** Media server and relay of ours run beside the conductor: on other hosts they take no CPU from the probes. */
function ownOf(input: JudgeInput, { besideConductor }: ProbeHost): JudgeInput {
  if (besideConductor) return input;
  const { turn: _, ...evidence } = input.evidence;
  return { ...input, sameHost: false, tooMany: undefined, evidence };
}

/**
 * The same reason with its host; where there are several, one that says nothing about the server names it in its
 * sentence.
 */
export function hostNamer(input: JudgeInput, isVoid: boolean): (reason: Reason) => Reason {
  const hosts = hostsOf(input);
  const several = hosts.length > 1;
  const nameOf = new Map(hosts.map((host) => [host.id, hostName(host)]));
  const hostOfProbe = new Map<string, ProbeHostId | undefined>(
    input.probes.map(({ participant, host }) => [participant.id, host]),
  );
  return (reason) => {
    const host = reason.host ?? (reason.probe === undefined ? undefined : hostOfProbe.get(reason.probe));
    if (host === undefined) return reason;
    const isNamed = !isVoid || !several || reason.host !== undefined || reason.probe === undefined;
    const text = isNamed
      ? reason.text
      : `${reason.text.replace(/\.$/, '')}; ${reason.probe} is on host ${nameOf.get(host) ?? host}.`;
    return { ...reason, host, text };
  };
}
