import type { StreamMetric } from '../../model/metric.js';
import type { StreamSample } from '../../model/sample.js';

/** What one second said of one expected stream. */
export interface StreamReading {
  readonly atMs: number;
  readonly intervalMs: number;
  /** Absent when the probe was read but getStats knew no such stream: then nothing of it has arrived or left. */
  readonly stream: StreamSample | undefined;
  /** Since when it is there, where its source was away before. */
  readonly thereSinceMs?: number;
  readonly legRttMs?: number;
  /** Round trips of the leg that cannot be, and were left out. */
  readonly legRoundTripsDropped?: number;
  /** What congestion control allows the leg. */
  readonly legEstimateKbps?: number;
}

/** Of the metrics of both directions: a stream that has no such metric says nothing of it. */
export function metricOf(reading: StreamReading, metric: StreamMetric): number | undefined {
  const metrics: Readonly<Partial<Record<StreamMetric, number>>> | undefined = reading.stream?.metrics;
  return metrics?.[metric];
}

// Loops below, because whole trials pass through here: a hundred metrics of thousands of probes.

/** The time that the readings measured, milliseconds. */
export function totalMs(readings: readonly StreamReading[]): number {
  let ms = 0;
  for (const reading of readings) ms += reading.intervalMs;
  return ms;
}

/** Round trips of the leg, in the seconds that have one, milliseconds. */
export function legRoundTrips(readings: readonly StreamReading[]): number[] {
  const values: number[] = [];
  for (const { legRttMs } of readings) if (legRttMs !== undefined) values.push(legRttMs);
  return values;
}

/** What congestion control allowed the leg, in the seconds that say it, kbit/s. */
export function legEstimates(readings: readonly StreamReading[]): number[] {
  const values: number[] = [];
  for (const { legEstimateKbps } of readings) if (legEstimateKbps !== undefined) values.push(legEstimateKbps);
  return values;
}

/** Absent where no second dropped one. */
export function legRoundTripsDropped(readings: readonly StreamReading[]): number | undefined {
  let total: number | undefined;
  for (const { legRoundTripsDropped: dropped } of readings) if (dropped !== undefined) total = (total ?? 0) + dropped;
  return total;
}

/** The values of a gauge or ratio in the seconds that have it. */
export function valuesOf(readings: readonly StreamReading[], metric: StreamMetric): number[] {
  const values: number[] = [];
  for (const reading of readings) {
    const value = metricOf(reading, metric);
    if (value !== undefined) values.push(value);
  }
  return values;
}

/** The sum of a delta; `undefined` when no second has it. */
export function totalOf(readings: readonly StreamReading[], metric: StreamMetric): number | undefined {
  let total: number | undefined;
  for (const reading of readings) {
    const value = metricOf(reading, metric);
    if (value !== undefined) total = (total ?? 0) + value;
  }
  return total;
}

/**
 * A delta per second. Seconds in which the metric is absent from the stream are left out of the time, too; seconds
 * in which the stream itself is absent are time in which nothing came.
 */
export function perSecond(readings: readonly StreamReading[], metric: StreamMetric): number | undefined {
  const total = totalOf(readings, metric);
  const ms = countedMs(readings, metric);
  return total === undefined || ms <= 0 ? undefined : (total * 1000) / ms;
}

/** The time over which a delta is counted, milliseconds. */
export function countedMs(readings: readonly StreamReading[], metric: StreamMetric): number {
  let ms = 0;
  for (const reading of readings) {
    if (!reading.stream || metricOf(reading, metric) !== undefined) ms += reading.intervalMs;
  }
  return ms;
}

/** `part` of `whole` in percent; `undefined` when either is, or the whole is nothing. */
export function percentOf(part: number | undefined, whole: number | undefined): number | undefined {
  return part === undefined || whole === undefined || whole <= 0 ? undefined : (100 * part) / whole;
}
