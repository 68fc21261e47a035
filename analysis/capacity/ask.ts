import type { FleetPlacement } from '../../model/placement.js';
import type { Prices } from '../../model/prices.js';
import type { Spare } from './spare.js';

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

/** Hours of a month where nobody says otherwise: a twelfth of 365 days. */
export const usualHoursPerMonth = 730;
