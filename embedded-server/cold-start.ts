import type { Clock } from '../rtp/egress.js';

/**
 * A process that is slow to answer until it is warm, as one that loads its codecs and makes its certificates when they
 * are first needed: the first offer, and all that come while it waits, are answered when the time is over.
 */
export class ColdStart {
  readonly #clock: Clock;
  readonly #takesMs: number;
  #warm: Promise<void> | undefined;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, takesMs: number) {
    this.#clock = clock;
    this.#takesMs = takesMs;
  }

  /** Resolves when an offer can be answered; the first call begins the time. */
  warm(): Promise<void> {
    this.#warm ??= new Promise((resolve) => {
      if (this.#takesMs <= 0) resolve();
      else this.#cancel = this.#clock.after(this.#takesMs, resolve);
    });
    return this.#warm;
  }

  /** Who still waits is never answered: the server is closing. */
  close(): void {
    this.#cancel?.();
  }
}
