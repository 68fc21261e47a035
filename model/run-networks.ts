import { LoadlineError } from './errors.js';
import type { Link } from './network.js';
import type { NetworkCheck, NetworkFacts } from './network-record.js';
import type { ProbeHostId } from './probe-host.js';
import type { Participant } from './scenario.js';

/**
 * The impaired networks of a run, one for each group of participants. Rejects with E_NETWORK_MEANS where a host cannot
 * have them, and E_NETWORK_LINK when a command fails. `stop` is idempotent and never rejects.
 */
export interface Networks {
  /** The longest that `apply` may take, milliseconds. */
  readonly applyBoundMs: number;
  /** Makes namespaces and links. Called before the media server starts, which listens on one of their addresses. */
  start(signal: AbortSignal): Promise<NetworkFacts>;
  /**
   * Shapes the links for a trial with so many connections in each network, then measures each. Rejects with E_NETWORK
   * when a network has more connections than it can tell apart.
   */
  apply(connections: ReadonlyMap<string, number>, signal: AbortSignal): Promise<readonly NetworkCheck[]>;
  /** From now on, `onLost` and no earlier one is told, once, when what shapes the links ended by itself. */
  watch(onLost: (detail: string) => void): void;
  /** The measured window begins: from here on the changes over time are counted. */
  begin(onChange: (change: NetworkChange) => void): void;
  /** Ends the changes. Resolves with the packets that what shapes the links had no time for; absent: unknown. */
  clear(): Promise<{ readonly overflow?: number }>;
  /** Words before a program's own that run it inside the network. Absent: the probe hosts know. */
  inside?(network: string): readonly string[];
  stop(): Promise<void>;
}

export interface NetworkChange {
  readonly network: string;
  readonly up: Link;
  readonly down: Link;
  /** Why it was not made. */
  readonly failure?: string;
}

/** Shaping is quick; measuring a slow link takes some ten seconds. */
const applyBoundMs = 40_000;

/** How long making so many networks ready may take, where they are measured one after the other. */
export function applyBoundOf(networks: number): number {
  return applyBoundMs * Math.max(1, networks);
}

/** Connections that one host can tell apart in a network, by the low byte of their ports; half stay free. */
export const connectionsMax = 128;

/** A trial would have more connections in a network than one host can tell apart. */
export function tooManyConnections(network: string, connections: number, host?: ProbeHostId): LoadlineError {
  const where = host === undefined ? '' : ` on host ${host}`;
  const what = `The network "${network}" cannot tell ${connections} connections apart${where}.`;
  return new LoadlineError('E_NETWORK', what, {
    where: '--max, --network',
    why: `each has a link of its own, and a network of one host holds ${connectionsMax} of them`,
    todo: `search up to fewer sessions with --max, or share them among several networks${host === undefined ? '' : ' or more hosts'}`,
  });
}

/** Six to a host by HTTP/1.1 is what Chromium opens at most; beside them are signalling and media. */
const connectionsOfPage = 8;

/** Of each network, how many connections these participants have. */
export function connectionsOf(participants: readonly Participant[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { network, legs, page } of participants) {
    const own = page ? connectionsOfPage : legs.length;
    if (network !== undefined) counts.set(network, (counts.get(network) ?? 0) + own);
  }
  return counts;
}
