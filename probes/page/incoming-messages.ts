import { lostAfterMs } from '../../model/data-messages.js';
import type { ReceiveStreamSample } from '../../model/sample.js';

type Metrics = ReceiveStreamSample['metrics'];

/** A number so far beyond what was due is not of our sender. */
const farthest = 10_000;

/**
 * The messages of one sender as they come. When each was due follows from the one before it, by the receiver's own
 * clock: so a sender that falls silent loses messages, too. What came before the first is not missed.
 */
export class IncomingMessages {
  readonly #gapMs: number;
  #first = 0;
  /** Absent before the first. */
  #next: number | undefined;
  /** When the one before that came, or was due. */
  #lastMs = 0;
  /** Those that later ones have overtaken, and when they were due. */
  readonly #missing = new Map<number, number>();
  /** Those that count as lost. One that comes yet stays lost, and is no repeated one. */
  readonly #lost = new Set<number>();
  #received = 0;
  #lostNow = 0;
  #repeated = 0;

  constructor(perSecond: number) {
    this.#gapMs = 1000 / perSecond;
  }

  get begun(): boolean {
    return this.#next !== undefined;
  }

  /** Whether it counts: a repeated one does not. */
  take(nth: number, nowMs: number): boolean {
    if (this.#next === undefined) [this.#first, this.#next] = [nth, nth];
    if (nth < this.#first || nth > this.#next + farthest) return false;
    if (nth < this.#next) {
      // It is lost by its time, however late it comes.
      if (this.#missing.delete(nth)) this.#received += 1;
      else if (!this.#lost.delete(nth)) {
        this.#repeated += 1;
        return false;
      }
    } else {
      for (let one = this.#next; one < nth; one += 1)
        this.#missing.set(one, this.#lastMs + (one - this.#next + 1) * this.#gapMs);
      this.#next = nth + 1;
      this.#lastMs = nowMs;
      this.#received += 1;
    }
    return true;
  }

  /** What came since this was last asked, and what is lost by now; nothing before the first message. */
  read(nowMs: number): Metrics {
    if (this.#next === undefined) return {};
    this.#count(this.#next, nowMs - lostAfterMs);
    const metrics = {
      messagesReceived: this.#received,
      messagesLost: this.#lostNow,
      messagesRepeated: this.#repeated,
    };
    this.#received = 0;
    this.#lostNow = 0;
    this.#repeated = 0;
    return metrics;
  }

  #count(next: number, dueBeforeMs: number): void {
    for (const [nth, dueMs] of this.#missing) {
      if (dueMs > dueBeforeMs) continue;
      this.#missing.delete(nth);
      this.#lose(nth);
    }
    let nth = next;
    while (this.#lastMs + this.#gapMs <= dueBeforeMs) {
      this.#lose(nth);
      this.#lastMs += this.#gapMs;
      nth += 1;
    }
    this.#next = nth;
  }

  #lose(nth: number): void {
    this.#lost.add(nth);
    this.#lostNow += 1;
  }
}
