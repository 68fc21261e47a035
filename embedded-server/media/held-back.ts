import type { Clock } from '../../rtp/egress.js';

/** What is handed on so much later than it came, in its order. */
export class HeldBack {
  readonly #clock: Clock;
  readonly #delayMs: number;
  readonly #waiting: ((nowMs: number) => void)[] = [];
  #closed = false;

  /** @param delayMs 0: at once */
  constructor(clock: Clock, delayMs: number) {
    this.#clock = clock;
    this.#delayMs = delayMs;
  }

  pass(nowMs: number, handOn: (nowMs: number) => void): void {
    if (this.#delayMs === 0) {
      handOn(nowMs);
      return;
    }
    this.#waiting.push(handOn);
    // Each time one is due, the first that waits goes: whichever timer is first, the order stays.
    this.#clock.after(this.#delayMs, () => {
      const next = this.#waiting.shift();
      if (!this.#closed) next?.(this.#clock.nowMs());
    });
  }

  close(): void {
    this.#closed = true;
  }
}
