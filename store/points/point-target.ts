import type { DataPoint } from './data-point.js';

/** What became of one request. */
export type WriteOutcome =
  | { readonly kind: 'taken' }
  /** Sending it again would not help; `lost` points of it are not there. */
  | { readonly kind: 'refused'; readonly lost: number; readonly why: string }
  /** It may be there or not; sending it again is safe, because a point is told by its tags and time. */
  | { readonly kind: 'failed'; readonly why: string; readonly retryAfterMs?: number };

/** What a `PointSender` must know of a sink: how a point is written, and how a batch is sent. */
export interface PointTarget {
  readonly description: string;
  /** A point in the other side's words, which wait and are sent as they are; undefined: it has no words for it. */
  encode(point: DataPoint): string | undefined;
  /** Sends a batch in one request; without an answer in this time it has failed. Never rejects. */
  write(encoded: readonly string[], boundMs: number): Promise<WriteOutcome>;
}
