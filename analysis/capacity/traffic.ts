import { type CapacityAsk, withSpare } from './ask.js';
import type { HostLimit } from './host-limit.js';
import type { EgressBasis } from './measured-limit.js';
import type { Situation } from './situation.js';

/** What leaves the media servers at a moment. A scenario whose bit rate no run knows makes the sum unknown. */
export interface Traffic {
  /** To participants, Mbit/s. */
  readonly egressMbps: number;
  /** From host to host, for cascades. */
  readonly feedMbps: number;
  readonly bases: readonly EgressBasis[];
}

export interface Relays {
  /** Participants who come through a relay. */
  readonly participants: number;
  /** What the relays send: to these participants, and on to the media servers. */
  readonly mbps: number;
  /** One for each connection. */
  readonly ports: number;
  /** Absent where nobody said what one carries. */
  readonly hosts?: number;
}

export function trafficOf({ units, feeds }: Situation, limits: readonly HostLimit[], ask: CapacityAsk): Traffic | null {
  let egressMbps = 0;
  let feedMbps = 0;
  const bases = new Set<EgressBasis>();
  for (const [index, { scenario }] of ask.demands.entries()) {
    const egress = egressOf(limits, scenario);
    if (!egress) return null;
    egressMbps += (units[index] ?? 0) * egress.mbpsPerUnit;
    feedMbps += (feeds[index] ?? 0) * egress.mbpsPerUnit;
    bases.add(egress.basis);
  }
  return { egressMbps, feedMbps, bases: [...bases] };
}

/** Of several kinds of host that carried a scenario the highest rate: so the sum is not too low. */
function egressOf(limits: readonly HostLimit[], scenario: string): HostLimit['egress'] | undefined {
  return limits
    .filter((limit) => limit.scenario === scenario)
    .flatMap(({ egress }) => egress ?? [])
    .reduce<HostLimit['egress'] | undefined>((a, b) => (a && a.mbpsPerUnit >= b.mbpsPerUnit ? a : b), undefined);
}

/** Null where a rate or a number of connections is unknown. A relay sends what participants get and what they send. */
export function relaysOf({ units }: Situation, limits: readonly HostLimit[], ask: CapacityAsk): Relays | null {
  const { relayed, relayMbps, headroom, spare, demands } = ask;
  if (relayed === undefined) return null;
  let [participants, mbps, ports] = [0, 0, 0];
  for (const [index, { scenario }] of demands.entries()) {
    const limit = limits.find((one) => one.scenario === scenario && one.egress);
    if (!limit?.egress || limit.ingressMbpsPerUnit === undefined || limit.connectionsPerUnit === undefined) return null;
    const share = relayed * (units[index] ?? 0);
    participants += share * limit.participantsPerUnit;
    mbps += share * (limit.egress.mbpsPerUnit + limit.ingressMbpsPerUnit);
    ports += share * limit.connectionsPerUnit;
  }
  const carried = relayMbps === undefined ? undefined : relayMbps * (1 - headroom);
  return {
    participants: Math.ceil(participants - 1e-9),
    mbps,
    ports: Math.ceil(ports - 1e-9),
    ...(carried === undefined ? {} : { hosts: withSpare(Math.ceil(mbps / carried), spare) }),
  };
}
