import { mostMs } from '../../model/clock-times.js';
import type { ClockTime } from '../../model/sample.js';

interface Sum {
  count: number;
  sumMs: number;
  maxMs: number;
}

/** How long what comes has taken, by each clock of its senders. */
export class TimesByClock {
  readonly #own: number;
  readonly #leastMs: number;
  readonly #sums = new Map<number, Sum>();

  /** @param own this host's clock, as marks name it @param leastMs what takes less, by it, was not timed right */
  constructor(own: number, leastMs: number) {
    this.#own = own;
    this.#leastMs = leastMs;
  }

  /** How far another clock is ahead, only the conductor knows. */
  add(clock: number, ms: number): void {
    if (clock === this.#own && (ms < this.#leastMs || ms > mostMs)) return;
    const sum = this.#sums.get(clock);
    if (!sum) {
      this.#sums.set(clock, { count: 1, sumMs: ms, maxMs: ms });
      return;
    }
    sum.count += 1;
    sum.sumMs += ms;
    sum.maxMs = Math.max(sum.maxMs, ms);
  }

  /** Since it was asked last. */
  take(): readonly ClockTime[] {
    const times = [...this.#sums].map(([clock, { count, sumMs, maxMs }]) => ({
      ...(clock === this.#own ? {} : { clock }),
      ...{ count, meanMs: sumMs / count, maxMs },
    }));
    this.#sums.clear();
    return times;
  }
}
