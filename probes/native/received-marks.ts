import { type FrameMark, readMark } from '../page/frame-mark.js';
import type { MarkCounts } from '../page/mark-counts.js';

/** Frames that end in a packet with a mark, and that other packets are missing of. */
const waitingMost = 64;

/** Marks stand in the last packets of frames, which may come before others do. */
export class ReceivedMarks {
  readonly #counts: MarkCounts;
  /** By the place of the last packet of their frame. */
  readonly #waiting = new Map<number, FrameMark>();

  constructor(counts: MarkCounts) {
    this.#counts = counts;
  }

  /** The last packet of a frame. */
  ends(extended: number, payload: Uint8Array): void {
    const mark = readMark(payload);
    if (!mark) return;
    if (this.#waiting.size >= waitingMost) this.#waiting.delete(this.#waiting.keys().next().value ?? extended);
    this.#waiting.set(extended, mark);
  }

  /** A frame that ends there is whole since then. */
  whole(last: number, arrivedMs: number): void {
    this.#counts.note(this.#waiting.get(last), arrivedMs);
    this.#waiting.delete(last);
  }

  /** Numbers have begun anew. */
  forget(): void {
    this.#waiting.clear();
  }
}
