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
