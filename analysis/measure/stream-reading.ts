import type { StreamMetric } from '../../model/metric.js';
import type { ReceiveStreamSample, StreamSample } from '../../model/sample.js';

export interface StreamReading {
  readonly atMs: number;
  readonly intervalMs: number;
  /** Absent when the probe was read but getStats knew no such stream: then nothing of it has arrived or left. */
  readonly stream: StreamSample | undefined;
  /** What was asked for of a received video, where that changes; also of one that getStats does not know yet. */
  readonly asked?: ReceiveStreamSample['asked'] | undefined;
  /** Since when it is there, where its source was away before. */
  readonly thereSinceMs?: number | undefined;
  readonly legRttMs?: number | undefined;
  /** Round trips of the leg that cannot be, and were left out. */
  readonly legRoundTripsDropped?: number | undefined;
  /** What congestion control allows the leg. */
  readonly legEstimateKbps?: number | undefined;
}

/** Seconds of which little is known, because the stream began anew in them. */
export interface UnknownSeconds {
  readonly count: number;
  readonly ms: number;
}

/** The metrics of both directions. One that a stream does not have is absent. */
type Metrics = Readonly<Partial<Record<StreamMetric, number>>>;

const none: Metrics = {};

export const metricsOf = ({ stream }: StreamReading): Metrics => stream?.metrics ?? none;

/** Of a screen: nothing new for seconds is no fault. */
export const isScreen = ({ stream }: StreamReading): boolean =>
  stream?.direction === 'receive' && stream.screen === true;

/** `part` of `whole` in percent; `undefined` when either is, or the whole is nothing. */
export function percentOf(part: number | undefined, whole: number | undefined): number | undefined {
  return part === undefined || whole === undefined || whole <= 0 ? undefined : (100 * part) / whole;
}
