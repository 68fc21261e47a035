import { type FrameMark, markBytes, readMark } from '../page/frame-mark.js';
import type { MarkCounts } from '../page/mark-counts.js';
import { markInPacket } from '../page/sei-mark.js';

/** Frames with a mark that packets are missing of. */
const waitingMost = 64;

/** The mark in a packet of a frame, which may be its last one. */
type ReadsMark = (payload: Uint8Array, isLast: boolean) => FrameMark | undefined;

/** By the names of SDP, in lower case. */
export const markReaders: Readonly<Record<string, ReadsMark | undefined>> = {
  vp8: (payload, isLast) => (isLast ? readMark(payload) : undefined),
  h264: (payload) => {
    const at = markInPacket(payload);
    return at < 0 ? undefined : readMark(payload, at + markBytes);
  },
};

/** Marks stand in one packet of a frame, which may come before others do. */
export class ReceivedMarks {
  readonly #counts: MarkCounts;
  readonly #reads: ReadsMark;
  /** By the time of their frame. */
  readonly #waiting = new Map<number, FrameMark>();

  constructor(counts: MarkCounts, reads: ReadsMark) {
    this.#counts = counts;
    this.#reads = reads;
  }

  /** A packet of the frame of this time. */
  look(timestamp: number, payload: Uint8Array, isLast: boolean): void {
    const mark = this.#reads(payload, isLast);
    if (!mark) return;
    if (this.#waiting.size >= waitingMost) this.#waiting.delete(this.#waiting.keys().next().value ?? timestamp);
    this.#waiting.set(timestamp, mark);
  }

  /** The frame of this time is whole since then. */
  whole(timestamp: number, arrivedMs: number): void {
    this.#counts.note(this.#waiting.get(timestamp), arrivedMs);
    this.#waiting.delete(timestamp);
  }

  /** Numbers have begun anew. */
  forget(): void {
    this.#waiting.clear();
  }
}
