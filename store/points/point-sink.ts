import type { DataPoint } from './data-point.js';

/** Every point given is written, lost, or still waiting; exact to the last one. */
export interface PointAccount {
  readonly given: number;
  /** The other side said that it has them. */
  readonly written: number;
  /** Of those written: what had to be sent more than once. */
  readonly resent: number;
  /** No room to wait in, refused, or given up at the end. */
  readonly lost: number;
}

/** A place that points are copied to: points in, counts of written and lost out. */
export interface PointSink {
  /** For people, without a login: `InfluxDB http://127.0.0.1:8086 (database loadline)`. */
  readonly description: string;
  /** Queues; returns at once whatever the other side does. A point without fields may be left out, not given. */
  add(points: readonly DataPoint[]): void;
  /** Resolves when so few wait that more may be given. Never rejects. */
  room(): Promise<void>;
  /** Sends what waits, as long as that gets on. Never rejects. Idempotent. */
  close(): Promise<void>;
  readonly account: PointAccount;
  /** Why points were refused, the first time; absent when none was. */
  readonly refused: string | undefined;
  /** More about the counts, for their line: what was put together before it was sent. */
  readonly remark?: string | undefined;
  /** The whole line, where "written" and "lost" are not the words for what became of points. */
  readonly accountText?: string | undefined;
}

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

/** The last line about a copy: what became of every point. `again` is the command that fills in what is missing. */
export function accountText(
  { description, account, refused, remark, accountText: own }: Omit<PointSink, 'add' | 'room' | 'close'>,
  again: string,
): string {
  if (own !== undefined) return remark === undefined ? own : `${own}; ${remark}`;
  const { given, written, resent, lost } = account;
  const sentAgain = resent === 0 ? '' : `, ${resent} of them sent more than once`;
  const gone = lost === 0 ? '' : `; ${lost} lost${refused === undefined ? '' : ` (${refused})`}`;
  const more = remark === undefined ? '' : `; ${remark}`;
  const remedy = lost === 0 ? '' : `. ${again} fills in what is missing.`;
  return `${description}: ${written} of ${given} points written${sentAgain}${gone}${more}${remedy}`;
}
