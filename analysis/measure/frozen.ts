import type { Aggregates } from '../../model/aggregate.js';
import { metricOf, type StreamReading, totalMs } from './stream-reading.js';

/** How long the picture stood still in a window, in all and at a stretch. */
export interface FrozenTime {
  readonly totalMs: number;
  /** Never too long: of freezes that ended in the same second only the mean is known. Absent: it was not said how many. */
  readonly longestMs: number | undefined;
  /** Of the measured time. */
  readonly percent: number;
}

/**
 * How long the picture stood still.
 *
 * Chromium reports a freeze only when it ends (inbound-rtp.totalFreezesDuration, freezeCount), with its whole length. So
 * - a freeze that ended in a second counts at most the time since the window began, or since its source came back in it, and
 * - seconds without a decoded frame count as frozen although nothing has been reported, and are not counted again
 *   when the freeze that they belong to is.
 * `undefined` when no second says anything about frames. No further reading lowers the total, nor the total without the
 * longest, which is what an early verdict rests on.
 */
export function frozenTime(readings: readonly StreamReading[], windowStartMs: number): FrozenTime | undefined {
  const says = (reading: StreamReading) =>
    metricOf(reading, 'framesDecoded') !== undefined || metricOf(reading, 'freezeMs') !== undefined;
  const readMs = totalMs(readings);
  if (readMs <= 0 || !readings.some(says)) return undefined;
  let frozenMs = 0;
  let longestMs: number | undefined = 0;
  let stillMs = 0;
  let sinceMs = readings[0]?.thereSinceMs;
  for (const reading of readings) {
    if (reading.thereSinceMs !== sinceMs) {
      // It was away in between: one stretch ends, another begins.
      sinceMs = reading.thereSinceMs;
      frozenMs += stillMs;
      longestMs = longer(longestMs, stillMs);
      stillMs = 0;
    }
    const frames = reading.stream ? metricOf(reading, 'framesDecoded') : 0;
    const reportedMs = Math.min(
      metricOf(reading, 'freezeMs') ?? 0,
      reading.atMs - Math.max(windowStartMs, sinceMs ?? windowStartMs),
    );
    if (frames === 0) stillMs += reading.intervalMs;
    if (frames === 0 && reportedMs <= 0) continue;
    frozenMs += Math.max(stillMs, reportedMs);
    longestMs = longer(longestMs, reportedMs > 0 ? longestReported(reading, reportedMs) : 0, stillMs);
    stillMs = 0;
  }
  const allMs = frozenMs + stillMs;
  return {
    totalMs: allMs,
    longestMs: longer(longestMs, stillMs),
    percent: Math.min(100, (100 * allMs) / readMs),
  };
}

/** Of freezes that are told together the longest is at least their mean; one is told whole. */
function longestReported(reading: StreamReading, reportedMs: number): number | undefined {
  const count = metricOf(reading, 'freezes');
  return count === undefined ? undefined : reportedMs / Math.max(1, count);
}

function longer(...lengths: readonly (number | undefined)[]): number | undefined {
  let longest = 0;
  for (const length of lengths) {
    if (length === undefined) return undefined;
    longest = Math.max(longest, length);
  }
  return longest;
}

/** `of`: what the share is of, or what it leaves out. */
export interface JudgedFrozen {
  readonly percent: number;
  readonly of: 'window' | 'minute' | 'window-without-longest';
}

/** A share of frozen time is one of a minute at least: a freeze is too rare a thing to be a rate of a few seconds. */
const leastSpanMs = 60_000;

/**
 * The share of the time frozen that is held against its limit, percent. It is the larger of
 * - all frozen time, as a share of the window, or of a minute where the window is shorter, and
 * - what is frozen without the longest freeze, as a share of the window.
 *
 * The first gives one freeze the same weight in every window up to a minute. The second lets a picture that freezes
 * again and again fail in a short window, too. In a window of a minute or more it is the plain share of time. So it is
 * also where the longest freeze is not known.
 */
export function judgedFrozen(values: Aggregates): JudgedFrozen | undefined {
  const { frozenPercent, frozenMs, longestFreezeMs } = values;
  if (frozenPercent === undefined) return undefined;
  if (!frozenMs || longestFreezeMs === undefined) return { percent: frozenPercent, of: 'window' };
  const ofMinute = (100 * frozenMs) / leastSpanMs;
  const withoutLongest = frozenPercent * (1 - longestFreezeMs / frozenMs);
  if (ofMinute >= frozenPercent) return { percent: frozenPercent, of: 'window' };
  return ofMinute >= withoutLongest
    ? { percent: ofMinute, of: 'minute' }
    : { percent: withoutLongest, of: 'window-without-longest' };
}
