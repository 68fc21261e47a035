import { sum } from '../statistics/statistics.js';
import { type CapacityAsk, withSpare } from './ask.js';
import type { HostLimit } from './host-limit.js';
import type { EgressBasis } from './measured-limit.js';
import type { Situation } from './situation.js';

/** What leaves the media servers. A scenario whose bit rate no run knows makes the sum unknown. */
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

export function trafficOf(
  { units, feeds }: Pick<Situation, 'units' | 'feeds'>,
  limits: readonly HostLimit[],
  ask: Pick<CapacityAsk, 'demands' | 'broadcasts'>,
): Traffic | null {
  let egressMbps = 0;
  let feedMbps = 0;
  const bases = new Set<EgressBasis>();
  for (const [index, { scenario }] of ask.demands.entries()) {
    const egress = egressOf(limits, scenario);
    if (!egress) return null;
    const count = units[index] ?? 0;
    egressMbps += count * egress.mbpsPerUnit + Math.min(ask.broadcasts, count) * (egress.mbpsBeside ?? 0);
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

/** Null where a rate or a number of connections is unknown. Each region has relays of its own. */
export function relaysOf({ units, places }: Situation, limits: readonly HostLimit[], ask: CapacityAsk): Relays | null {
  const { relayed, relayMbps, headroom, spare, demands } = ask;
  if (relayed === undefined) return null;
  const each: UnitOfRelays[] = [];
  for (const { scenario } of demands) {
    const own = limits.filter((one) => one.scenario === scenario && one.egress);
    const known = own.flatMap(relayedUnitOf);
    // As of traffic the highest, so that the sum is not too low.
    const [most] = known.toSorted((a, b) => b.mbps - a.mbps);
    if (!most || known.length < own.length) return null;
    each.push(most);
  }
  const of = (what: keyof UnitOfRelays, counts: readonly number[]) =>
    sum(each.map((unit, index) => relayed * (counts[index] ?? 0) * unit[what]));
  const carried = relayMbps === undefined ? undefined : relayMbps * (1 - headroom);
  return {
    participants: Math.ceil(of('participants', units) - 1e-9),
    mbps: of('mbps', units),
    ports: Math.ceil(of('ports', units) - 1e-9),
    ...(carried === undefined
      ? {}
      : { hosts: sum(places.map((place) => withSpare(Math.ceil(of('mbps', place.units) / carried - 1e-9), spare))) }),
  };
}

/** What relays carry of one unit all of whose participants are relayed. */
type UnitOfRelays = Pick<Relays, 'participants' | 'mbps' | 'ports'>;

/** A relay sends what participants get and what they send. */
function relayedUnitOf(limit: HostLimit): UnitOfRelays[] {
  const { egress, ingressMbpsPerUnit: ingress, connectionsPerUnit: ports, participantsPerUnit: participants } = limit;
  if (!egress || ingress === undefined || ports === undefined) return [];
  return [{ participants, mbps: egress.mbpsPerUnit + ingress, ports }];
}
