import type { Aggregates } from '../../model/aggregate.js';
import { poissonAbove } from '../statistics/erlang.js';
import { leastSpanMs } from './frozen.js';

export interface FrozenStream {
  readonly values: Aggregates;
  readonly readMs: number;
}

/** Frozen time of several streams, or of several windows, taken together. */
interface FrozenTogether {
  readonly streams: number;
  readonly frozenMs: number;
  readonly longestMs: number;
  /** Of the time of all streams. */
  readonly percent: number;
  /** That so much or more comes by chance where the share is truly at the limit. */
  readonly chance: number;
}

/**
 * In a window that is shorter than a minute one freeze of each stream is excused, because it may be chance. Of many
 * streams that have one each it is not: freezes that come by chance are a Poisson process, so that together so many are
 * either likely under the limit or not. All freezes count as as long as the longest, which makes them the fewest.
 *
 * `undefined` where no stream is excused anything, and so nothing is to be looked at together.
 */
export function frozenTogether(streams: readonly FrozenStream[], limitPercent: number): FrozenTogether | undefined {
  const short = streams.filter(
    ({ values, readMs }) => values.frozenMs !== undefined && readMs > 0 && readMs < leastSpanMs,
  );
  if (short.length < 2) return undefined;
  const readMs = short.reduce((sum, one) => sum + one.readMs, 0);
  const frozenMs = short.reduce((sum, { values }) => sum + (values.frozenMs ?? 0), 0);
  const longestMs = Math.max(
    ...short.map(({ values: { longestFreezeMs, frozenMs: all = 0 } }) => longestFreezeMs ?? all),
  );
  if (longestMs <= 0) return undefined;
  const count = Math.floor(frozenMs / longestMs + 1e-9);
  const chance = poissonAbove(count - 1, ((limitPercent / 100) * readMs) / longestMs);
  return { streams: short.length, frozenMs, longestMs, percent: (100 * frozenMs) / readMs, chance };
}

/** A stall that all see at once is one event and may be chance: one freeze is excused by this share. Chosen: half. */
const excusedShare = 0.5;

/** How much time frozen, as a share of the window, is still no more than one stall that everybody saw may be. */
export function excusedTogether(readMs: number, limitPercent: number): number {
  const ofMinute = (limitPercent / 100) * leastSpanMs;
  const stallMs = excusedShare * ofMinute * Math.max(0, 1 - readMs / leastSpanMs);
  return limitPercent + (100 * stallMs) / readMs;
}
