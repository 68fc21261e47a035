import type { TransportFeedback } from './transport-feedback.js';
import { WayEstimate } from './way-estimate.js';

/** Feedback of what left longer ago is not waited for: some seconds of what one participant receives. */
const slots = 2048;
const referenceMs = 64;

/** In place of a number, where none is waited for. */
const none = -1;

/**
 * What leaves for one browser, numbered over all its streams, and what the browser says of its arrival. The estimate of
 * what its way carries stands in place of the one that browsers without transport-wide numbers make themselves and tell
 * (REMB).
 */
export class Departures {
  // Columns, and no object for each packet: what lives for seconds is what collecting garbage costs most for.
  readonly #numbers = new Int32Array(slots).fill(none);
  readonly #sentAtMs = new Float64Array(slots);
  readonly #bytes = new Uint16Array(slots);
  readonly #estimate = new WayEstimate(1000);
  #next = 0;
  #arrivedBytes = 0;
  /** What arrived before the last reading, since the one before it, bit/s. */
  arrivedBps = 0;
  /** Of the browser's clock: its reference has 24 bits and is continued here. */
  #reference: number | undefined;

  /** The number of a packet of so many bytes that leaves now. */
  next(bytes: number, nowMs: number): number {
    const number = this.#next & 0xffff;
    this.#next += 1;
    const slot = number % slots;
    this.#numbers[slot] = number;
    this.#sentAtMs[slot] = nowMs;
    this.#bytes[slot] = bytes;
    return number;
  }

  onFeedback({ base, reference, arrivedMs }: TransportFeedback): void {
    const before = this.#reference ?? reference;
    // The shorter way round 24 bits.
    this.#reference = before + (((reference - before) << 8) >> 8);
    const fromMs = this.#reference * referenceMs;
    arrivedMs.forEach((afterMs, index) => {
      const number = (base + index) & 0xffff;
      const slot = number % slots;
      if (afterMs === undefined || this.#numbers[slot] !== number) return;
      // What is told again had come out of order, and counts once.
      this.#numbers[slot] = none;
      this.#arrivedBytes += this.#bytes[slot] ?? 0;
      this.#estimate.note(Math.round(this.#sentAtMs[slot] ?? 0) | 0, fromMs + afterMs);
    });
  }

  /**
   * To be called each second or more often, with how long ago the last time was: what the way is estimated to carry,
   * bit/s; zero while nothing shows that it carries less than is sent.
   */
  after(seconds: number): number {
    this.arrivedBps = (8 * this.#arrivedBytes) / seconds;
    const bps = this.#estimate.after(seconds, this.arrivedBps);
    this.#arrivedBytes = 0;
    return Number.isFinite(bps) ? bps : 0;
  }
}
