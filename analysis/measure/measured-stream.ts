import type { Aggregates } from '../../model/aggregate.js';
import type { ExpectedStream } from '../../model/expected-streams.js';
import type { StreamSummary } from '../../model/trial.js';
import type { StreamCounts } from './kept-states.js';
import type { MetricSums } from './metric-sums.js';
import type { StreamSeconds } from './stream-fold.js';

/** What a window says of one stream. */
export interface MeasuredStream extends StreamCounts {
  readonly expected: ExpectedStream;
  /** The member of a mixed picture who was seen least. */
  readonly missing?: string;
  /** A mixed picture that should have members in it, and which of them are there is not known. */
  readonly unread?: true;
  readonly summary: StreamSummary & { readonly values: Aggregates };
  /** Absent of a part of a window that went on. */
  readonly sums?: MetricSums | undefined;
  /** Where they were kept. */
  readonly seconds?: StreamSeconds | undefined;
}
