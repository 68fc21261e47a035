import type { FleetPlacement } from '../../model/placement.js';
import type { Prices } from '../../model/prices.js';
import { blockingShare, fewestFrom, placesFor, poissonAbove } from '../statistics/erlang.js';
import { overloadedShare, turnedAwayShare } from '../statistics/placed-load.js';

/** Which loss the hosts survive with the whole demand still carried. */
export type Spare =
  | { readonly kind: 'none' }
  /** N + 1, N + 2: any so many hosts. */
  | { readonly kind: 'hosts'; readonly hosts: number }
  /** One whole zone of so many, between which hosts are dealt evenly. */
  | { readonly kind: 'zone'; readonly zones: number };

/** Hosts of one kind, of which `needed` must be left after the loss. None are needed for nothing. */
export function withSpare(needed: number, spare: Spare): number {
  if (needed === 0 || spare.kind === 'none') return needed;
  if (spare.kind === 'hosts') return needed + spare.hosts;
  // Of n hosts in z zones the fullest zone has ⌈n ÷ z⌉, so ⌊n·(z − 1) ÷ z⌋ are left.
  return Math.ceil((needed * spare.zones) / (spare.zones - 1));
}

export function spareText(spare: Spare): string {
  if (spare.kind === 'none') return 'no host to spare: the loss of one is an overload of the others';
  if (spare.kind === 'zone')
    return `the loss of one zone of ${spare.zones} is survived, with hosts dealt evenly to the zones`;
  return `the loss of any ${spare.hosts === 1 ? 'host' : `${spare.hosts} hosts`} is survived`;
}

/** How many of something there are to be at the busiest moment. */
export interface Demand {
  readonly scenario: string;
  /** In the unit of the scenario. */
  readonly units: number;
  /** In the user's words: "10000 viewers". */
  readonly asked: string;
  /** How `units` follows from that, where it is not the same number; a sentence. */
  readonly because?: string;
  /** Who comes does so by chance; absent: so many are there. */
  readonly byChance?: ByChance;
}

/**
 * What may happen to this share when hosts are full. Sessions are turned away, or wait in one queue in front of all
 * hosts. Or servers refuse nobody, and hosts have more than they are given.
 */
export type FullHouse =
  | { readonly share: number; readonly what: 'waits' }
  | { readonly share: number; readonly what: 'turned-away' | 'overloaded'; readonly placement: FleetPlacement };

export interface ByChance {
  /** Arrivals × length: how many are there on average. */
  readonly loadErlangs: number;
  readonly fullHouse: FullHouse;
}

/** A moment of a day, and the share of the busiest moment that is there then. */
export interface CurvePoint {
  readonly time: string;
  /** How long it holds: until the next one, the last until the first of the next day. 24 of all together. */
  readonly hours: number;
  readonly share: number;
}

/** What is asked of the hosts, with everything that nobody measured. What is absent is not looked at, and said so. */
export interface CapacityAsk {
  readonly demands: readonly Demand[];
  /** Share of what a host holds that is left free, 0 to 1. */
  readonly headroom: number;
  readonly spare: Spare;
  /** Sessions of all scenarios on the same hosts. */
  readonly together: boolean;
  /** How many broadcasts the viewers are dealt to. */
  readonly broadcasts: number;
  /** Shares of the demand that have hosts of their own; empty: one place. */
  readonly regions: readonly { readonly name: string; readonly share: number }[];
  readonly growth?: { readonly perMonth: number; readonly months: number };
  readonly curve?: readonly CurvePoint[];
  /** What one host can send, Mbit/s. */
  readonly linkMbps?: number;
  /** UDP ports that the media server of one host may use. */
  readonly ports?: number;
  /** Participants a second that one host lets in. */
  readonly joinsPerSecond?: number;
  /** Share of participants who come through a TURN relay. */
  readonly relayed?: number;
  /** What one relay host can send, Mbit/s. */
  readonly relayMbps?: number;
  readonly prices?: Prices;
}

/**
 * How many may be there at once. One pool is full with its places. Hosts that fill up one by one have more places, all
 * of which are hardly ever taken: then, and where nobody is refused, more are there for a small share of the time
 * alone.
 */
export function unitsAtOnce(byChance: ByChance): number {
  const { loadErlangs, fullHouse } = byChance;
  const { share, what } = fullHouse;
  if (what !== 'overloaded' && isOnePool(byChance)) return placesFor(loadErlangs, share, what);
  const [carried, mostShare] =
    what === 'overloaded' ? [loadErlangs, share] : [carriedErlangs(byChance), Math.min(share, usualShare)];
  return fewestFrom(0, carried, (count) => poissonAbove(count, carried) <= mostShare);
}

/** However many are turned away, traffic is for more than the usual. */
const usualShare = 0.01;

/** Of hosts that fill up one by one. */
export const carriedErlangs = ({ loadErlangs, fullHouse }: ByChance): number =>
  fullHouse.what === 'turned-away' ? loadErlangs * (1 - fullHouse.share) : loadErlangs;

/** How many are there on average at the busiest moment: whoever comes by chance seldom takes all places. */
export function unitsOnAverage({ units, byChance }: Demand): number {
  if (!byChance) return units;
  const { loadErlangs, fullHouse } = byChance;
  return fullHouse.what === 'turned-away' && isOnePool(byChance)
    ? loadErlangs * (1 - blockingShare(loadErlangs, units))
    : carriedErlangs(byChance);
}

/** The fewest hosts with so many places each that keep the share. */
export function hostsByChance({ loadErlangs, fullHouse }: ByChance, units: number, perHost: number): number {
  const together = Math.ceil(units / perHost);
  if (fullHouse.what === 'waits' || fullHouse.placement === 'least-loaded') return together;
  const { placement, share } = fullHouse;
  const shareOf = shareBy(fullHouse);
  return fewestFrom(1, together, (hosts) => shareOf(placement, { loadErlangs, hosts, places: perHost }) <= share);
}

export const shareBy = ({ what }: FullHouse) => (what === 'overloaded' ? overloadedShare : turnedAwayShare);

/** Hosts fill up one by one where nothing places by what is there. */
export function isOnePool({ fullHouse }: ByChance): boolean {
  return fullHouse.what === 'waits' || fullHouse.placement === 'least-loaded';
}
