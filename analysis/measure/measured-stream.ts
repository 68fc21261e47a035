import type { Aggregates } from '../../model/aggregate.js';
import type { ExpectedStream } from '../../model/expected-streams.js';
import type { StreamSummary } from '../../model/trial.js';
import type { MixLooks } from './mark-fold.js';
import type { MetricSums } from './metric-sums.js';
import type { StreamSeconds } from './stream-fold.js';
import type { UnknownSeconds } from './stream-reading.js';

/** What a window says of one stream. */
export interface MeasuredStream {
  readonly expected: ExpectedStream;
  /** Seconds in which it was there, and how long they were. */
  readonly count: number;
  readonly readMs: number;
  /** Of a sent stream: how long the last of them are in which no report of the server came. */
  readonly unreportedMs: number;
  readonly unknown: UnknownSeconds;
  readonly foreignSender?: number | undefined;
  readonly looks?: MixLooks | undefined;
  /** Of a mixed picture, who of those who should be in it was seen least. */
  readonly missing?: string;
  readonly summary: StreamSummary & { readonly values: Aggregates };
  /** Absent of a part of a window that went on. */
  readonly sums?: MetricSums | undefined;
  /** Where they were kept. */
  readonly seconds?: StreamSeconds | undefined;
}
