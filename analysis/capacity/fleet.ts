import { type ByChance, type CapacityAsk, hostsByChance, type Spare, withSpare } from './ask.js';
import type { HostLimit } from './host-limit.js';
import { type Usable, usableOf } from './usable.js';

export interface HostCount {
  readonly hostType: string;
  readonly hosts: number;
  /** Those of them that are needed while nothing fails. */
  readonly needed: number;
  /** Absent: they carry sessions, and feed no other. */
  readonly role?: Tier['role'];
}

export interface HostFleet {
  readonly counts: readonly HostCount[];
  readonly hosts: number;
  /** How few would do if each held as much as it may hold at most; null where that is not known. */
  readonly fewest: number | null;
  /** Absent without prices. */
  readonly perHour?: number;
  /** Of the fewest; null where that is not known. */
  readonly fewestPerHour?: number | null;
  /** Copies of the stream from host to host; 0 without a cascade. */
  readonly feeds: number;
}

/** How many are to be there at once. */
export interface Wanted {
  readonly units: number;
  /** Who comes does so by chance. */
  readonly byChance?: ByChance;
}

/** One kind of host that could carry a demand, with what one of them is given. */
export interface HostChoice {
  readonly limit: HostLimit;
  /** By what a host was shown to hold. */
  readonly sure: Usable;
  /** By what it may hold at most; null where that is not known. */
  readonly possible: Usable | null;
  /** Absent without prices. */
  readonly perHour?: number;
}

export const noFleet: HostFleet = { counts: [], hosts: 0, fewest: 0, feeds: 0 };

export function choicesOf(limits: readonly HostLimit[], ask: CapacityAsk): HostChoice[] {
  return limits.map((limit) => {
    const perHour = hourlyPrice(limit.hostType, ask);
    return {
      limit,
      sure: usableOf(limit, limit.atLeast, ask),
      possible: limit.atMost === null ? null : usableOf(limit, limit.atMost, ask),
      ...(perHour === undefined ? {} : { perHour }),
    };
  });
}

/** With the share that is bought as spare capacity. */
function hourlyPrice(hostType: string, { prices }: CapacityAsk): number | undefined {
  const price = prices?.hosts[hostType];
  if (!price) return undefined;
  const { perHour, spot } = price;
  return spot ? (1 - spot.share) * perHour + spot.share * spot.perHour : perHour;
}

/** The hosts of one kind alone; null where it cannot carry that at all. */
export function fleetOfOne(wanted: Wanted, choice: HostChoice, ask: CapacityAsk): HostFleet | null {
  const { limit, sure, possible, perHour } = choice;
  const counts = countsOf(wanted, limit, sure.units, ask);
  if (!counts) return null;
  const best = possible ? countsOf(wanted, limit, possible.units, ask) : null;
  const hosts = totalOf(counts.counts);
  const fewest = best ? totalOf(best.counts) : null;
  return { ...counts, hosts, fewest, ...pricedHosts(hosts, fewest, perHour) };
}

export function pricedHosts(
  hosts: number,
  fewest: number | null,
  perHour: number | undefined,
): Pick<HostFleet, 'perHour' | 'fewestPerHour'> {
  if (perHour === undefined) return {};
  return { perHour: perHour * hosts, fewestPerHour: fewest === null ? null : perHour * fewest };
}

function countsOf({ units, byChance }: Wanted, { unit, hostType }: HostLimit, perHost: number, ask: CapacityAsk) {
  if (units > 0 && perHost < 1) return null;
  if (unit.countsParticipants) {
    const broadcasts = Math.min(ask.broadcasts, units);
    const tiers = cascadeTiers(Math.ceil(units / Math.max(1, broadcasts)), perHost, ask.spare, broadcasts);
    if (!tiers) return null;
    const counts = tiers.map(
      ({ role, needed, hosts }): HostCount =>
        role === 'only' ? { hostType, hosts, needed } : { hostType, hosts, needed, role },
    );
    return { counts, feeds: feedsOf(tiers) };
  }
  const most = Math.max(1, perHost);
  const needed = units > 0 && byChance ? hostsByChance(byChance, units, most) : Math.ceil(units / most);
  const counts = needed === 0 ? [] : [{ hostType, needed, hosts: withSpare(needed, ask.spare) }];
  return { counts, feeds: 0 };
}

export function totalOf(counts: readonly HostCount[]): number {
  return counts.reduce((sum, { hosts }) => sum + hosts, 0);
}

/** What is cheaper; without prices, what needs fewer hosts. */
export function better(a: HostFleet, b: HostFleet): HostFleet {
  return (b.perHour ?? b.hosts) < (a.perHour ?? a.hosts) ? b : a;
}

/** One level of a cascade, from the hosts that viewers are on up to the one that the presenter sends to. */
interface Tier {
  readonly role: 'edge' | 'relay' | 'origin' | 'only';
  /** Of all broadcasts, without those that are spare. */
  readonly needed: number;
  readonly hosts: number;
}

/**
 * The hosts of some broadcasts with so many viewers each. A host that feeds another spends on it what a viewer costs,
 * as no run has shown anything else; so a host feeds as many as it carries viewers. Spare hosts are fed as well. `null`
 * where a host carries so few viewers that a level needs no fewer hosts than the one it feeds.
 */
export function cascadeTiers(viewers: number, perHost: number, spare: Spare, broadcasts = 1): readonly Tier[] | null {
  if (viewers === 0) return [];
  const tierOf = (role: Tier['role'], each: number): Tier => {
    const needed = each * broadcasts;
    return { role, needed, hosts: withSpare(needed, spare) };
  };
  const edges = Math.ceil(viewers / perHost);
  if (edges === 1) return [tierOf('only', 1)];
  const tiers = [tierOf('edge', edges)];
  for (let each = edges; each > 1; ) {
    const fed = Math.ceil((tiers.at(-1)?.hosts ?? 0) / broadcasts);
    const above = Math.ceil(fed / perHost);
    if (above >= each) return null;
    tiers.push(tierOf(above === 1 ? 'origin' : 'relay', above));
    each = above;
  }
  return tiers;
}

/** Copies of the stream that go from host to host. */
export function feedsOf(tiers: readonly Tier[]): number {
  return tiers.slice(0, -1).reduce((sum, { hosts }) => sum + hosts, 0);
}
