import { sum } from '../statistics/statistics.js';
import type { TimeWindow } from './window.js';

/** With how much time it tells of; absent in what was stored before that was kept. */
export type Spanning<Reading> = Reading & { readonly spanMs?: number };

/**
 * Readings of one source within a window, in their order, each with how much of the window it tells of: since the one
 * before, or since the window began. The first of all tells of no more than the second.
 */
export function spanning<Reading extends { readonly atMs: number }>(
  readings: readonly Reading[],
  { startMs, endMs }: TimeWindow,
): (Reading & { readonly spanMs: number })[] {
  return readings.flatMap((reading, nth) => {
    const { atMs } = reading;
    const [before, after] = [readings[nth - 1], readings[nth + 1]];
    const sinceMs = before ? atMs - before.atMs : after ? after.atMs - atMs : Number.POSITIVE_INFINITY;
    const spanMs = Math.max(0, Math.min(sinceMs, atMs - startMs));
    return atMs > startMs && atMs <= endMs ? { ...reading, spanMs } : [];
  });
}

/** A mean over time: each reading weighs as long as it spans, and all alike where none says so. */
export function meanOver<Reading extends { readonly spanMs?: number | undefined }>(
  readings: readonly Reading[],
  of: (reading: Reading) => number | undefined,
): number | undefined {
  const told = readings.flatMap((reading) => {
    const value = of(reading);
    return value === undefined ? [] : { value, spanMs: reading.spanMs ?? 1000 };
  });
  const totalMs = sum(told.map(({ spanMs }) => spanMs));
  return totalMs > 0 ? sum(told.map(({ value, spanMs }) => value * spanMs)) / totalMs : undefined;
}
