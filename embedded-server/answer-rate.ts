import type { Clock } from '../rtp/egress.js';

/**
 * A process that answers no faster than so many offers a second: each takes its share of a second of one who answers
 * them in the order in which they came, and the next begins when it is done.
 */
export class AnswerRate {
  readonly #clock: Clock;
  readonly #eachMs: number;
  readonly #waiting = new Set<() => void>();
  #freeAtMs = 0;

  /** @param perSecond 0: nobody waits */
  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock;
    this.#eachMs = perSecond > 0 ? 1000 / perSecond : 0;
  }

  /** Resolves when the answer of an offer that has come now may go. */
  async turn(): Promise<void> {
    if (this.#eachMs === 0) return;
    const nowMs = this.#clock.nowMs();
    this.#freeAtMs = Math.max(this.#freeAtMs, nowMs) + this.#eachMs;
    await new Promise<void>((resolve) => {
      const cancel = this.#clock.after(this.#freeAtMs - nowMs, () => {
        this.#waiting.delete(cancel);
        resolve();
      });
      this.#waiting.add(cancel);
    });
  }

  /** Who still waits is never answered: the server is closing. */
  close(): void {
    for (const cancel of this.#waiting) cancel();
    this.#waiting.clear();
  }
}
