import { sequenceDistance } from './rtp.js';
import { writeTransportFeedback } from './transport-feedback.js';

/** As libwebrtc: a message each 100 ms. */
const intervalMs = 100;
/** A packet that comes out of order is told of again with those behind it, if it is no later than this. */
const rememberedMs = 500;
/** Numbers further apart than this are another beginning and no loss. */
const gapMost = 2000;

/** When the packets of one sender arrived, and when that is to be told. */
export class ArrivalTimes {
  readonly #atMs = new Map<number, number>();
  /** Continued numbers, which do not wrap. */
  #highest = -1;
  /** The first that was not told of. */
  #next = 0;
  /** What is below was told of and forgotten. */
  #forgotten = 0;
  #told = 0;
  #toldAtMs = 0;

  /** A packet with this transport-wide number has come. True when it is time to tell. */
  note(number: number, nowMs: number): boolean {
    const distance = sequenceDistance(this.#highest & 0xffff, number);
    const isNew = this.#highest < 0 || Math.abs(distance) > gapMost;
    // A round above, so that what comes before the first one is not below zero.
    const continued = isNew ? 65_536 + number : this.#highest + distance;
    if (isNew) this.#begin(continued, nowMs);
    if (continued < this.#forgotten || this.#atMs.has(continued)) return false;
    this.#atMs.set(continued, nowMs);
    this.#highest = Math.max(this.#highest, continued);
    this.#next = Math.min(this.#next, continued);
    return nowMs - this.#toldAtMs >= intervalMs;
  }

  #begin(first: number, nowMs: number): void {
    this.#atMs.clear();
    this.#highest = first;
    this.#next = first;
    this.#forgotten = 0;
    this.#toldAtMs = nowMs;
  }

  /** Messages that tell of all that has come since. */
  take(senderSsrc: number, mediaSsrc: number, nowMs: number): readonly Buffer[] {
    const messages: Buffer[] = [];
    while (this.#next <= this.#highest) {
      const base = this.#next;
      const arrivedAtMs = Array.from({ length: this.#highest - base + 1 }, (_, index) => this.#atMs.get(base + index));
      const { packet, told } = writeTransportFeedback({ senderSsrc, mediaSsrc, base, arrivedAtMs, nth: this.#told });
      messages.push(packet);
      this.#told += 1;
      this.#next += told;
    }
    this.#toldAtMs = nowMs;
    for (const [continued, atMs] of this.#atMs) {
      if (nowMs - atMs <= rememberedMs) break;
      this.#atMs.delete(continued);
      this.#forgotten = Math.max(this.#forgotten, continued + 1);
    }
    return messages;
  }
}
