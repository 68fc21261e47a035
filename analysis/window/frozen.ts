import { metricOf, type StreamReading, totalMs } from './stream-reading.js';

/**
 * How much of the time the picture stood still, percent of the measured time.
 *
 * Chromium reports a freeze only when it ends (inbound-rtp.totalFreezesDuration), with its whole length. So
 * - a freeze that ended in a second counts at most the time since the window began, and
 * - seconds without a decoded frame count as frozen although nothing has been reported, and are not counted again
 *   when the freeze that they belong to is.
 * `undefined` when no second says anything about frames.
 */
export function frozenPercent(readings: readonly StreamReading[], windowStartMs: number): number | undefined {
  const says = (reading: StreamReading) =>
    metricOf(reading, 'framesDecoded') !== undefined || metricOf(reading, 'freezeMs') !== undefined;
  const readMs = totalMs(readings);
  if (readMs <= 0 || !readings.some(says)) return undefined;
  let frozenMs = 0;
  let stillMs = 0;
  for (const reading of readings) {
    const frames = reading.stream ? metricOf(reading, 'framesDecoded') : 0;
    const reportedMs = Math.min(metricOf(reading, 'freezeMs') ?? 0, reading.atMs - windowStartMs);
    if (frames === 0) stillMs += reading.intervalMs;
    if (frames === 0 && reportedMs <= 0) continue;
    frozenMs += Math.max(stillMs, reportedMs);
    stillMs = 0;
  }
  return Math.min(100, (100 * (frozenMs + stillMs)) / readMs);
}
