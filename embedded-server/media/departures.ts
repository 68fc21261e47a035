import { stampTransportNumber } from './rtp.js';
import type { TransportFeedback } from './transport-feedback.js';
import { WayEstimate } from './way-estimate.js';

/** Feedback of what left longer ago is not waited for: some seconds of what one participant receives. */
const slots = 2048;
const referenceMs = 64;

interface Departure {
  readonly number: number;
  readonly atMs: number;
  readonly bytes: number;
}

/**
 * What leaves for one browser, numbered over all its streams, and what the browser says of its arrival. The estimate of what its way
 * carries stands in place of the one that browsers without transport-wide numbers make themselves and tell (REMB).
 */
export class Departures {
  readonly #sent: (Departure | undefined)[] = new Array<Departure | undefined>(slots).fill(undefined);
  readonly #estimate = new WayEstimate(1000);
  #next = 0;
  #arrivedBytes = 0;
  /** What arrived before the last reading, since the one before it, bit/s. */
  arrivedBps = 0;
  /** Of the browser's clock: its reference has 24 bits and is continued here. */
  #reference: number | undefined;

  /** Writes the next number into a header that has the place for it. */
  stamp(header: Buffer, payloadBytes: number, nowMs: number): void {
    stampTransportNumber(header, this.next(header.length + payloadBytes, nowMs));
  }

  /** The number of a packet of so many bytes that leaves now. */
  next(bytes: number, nowMs: number): number {
    const number = this.#next & 0xffff;
    this.#next += 1;
    this.#sent[number % slots] = { number, atMs: nowMs, bytes };
    return number;
  }

  onFeedback({ base, reference, arrivedMs }: TransportFeedback): void {
    const before = this.#reference ?? reference;
    // The shorter way round 24 bits.
    this.#reference = before + (((reference - before) << 8) >> 8);
    const fromMs = this.#reference * referenceMs;
    arrivedMs.forEach((afterMs, index) => {
      const number = (base + index) & 0xffff;
      const sent = this.#sent[number % slots];
      if (afterMs === undefined || sent?.number !== number) return;
      // What is told again had come out of order, and counts once.
      this.#sent[number % slots] = undefined;
      this.#arrivedBytes += sent.bytes;
      this.#estimate.note(Math.round(sent.atMs) | 0, fromMs + afterMs);
    });
  }

  /**
   * To be called each second or more often, with how long ago the last time was: what the way is estimated to carry, bit/s; zero while nothing shows that it
   * carries less than is sent.
   */
  after(seconds: number): number {
    this.arrivedBps = (8 * this.#arrivedBytes) / seconds;
    const bps = this.#estimate.after(seconds, this.arrivedBps);
    this.#arrivedBytes = 0;
    return Number.isFinite(bps) ? bps : 0;
  }
}
