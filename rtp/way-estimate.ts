import { timestampDistance } from './rtp.js';

/** A queue that no packet of a whole reading has passed in less than this is a standing one. */
const standingMs = 60;
/** The way without a queue is what the fastest packet of so many seconds took. */
const rememberedSeconds = 30;
/** draft-ietf-rmcat-gcc, 5.5: beta, eta, and how far above what arrives an estimate may be. */
const decrease = 0.85;
const increasePerSecond = 1.08;
const mostAboveReceived = 1.5;
const headroomBps = 10_000;

/**
 * What rate the way between two ends carries, told from how long packets wait there: the delay-based side of congestion
 * control (draft-ietf-rmcat-gcc), reading by reading. Loss alone says nothing: a link that loses packets by chance
 * carries no more when less is sent.
 */
export class WayEstimate {
  readonly #clockRate: number;
  /** Distances from packet to packet add up: 90,000 ticks a second go once around in 13 hours. */
  #timestamp: number | undefined;
  #sentTicks = 0;
  #leastWaitMs = Number.POSITIVE_INFINITY;
  readonly #leastWaits: { readonly waitMs: number; readonly atSeconds: number }[] = [];
  #seconds = 0;
  #bps = Number.POSITIVE_INFINITY;

  constructor(clockRate: number) {
    this.#clockRate = clockRate;
  }

  /** A packet sent at this time, in ticks of the clock rate, arrived. The two clocks may differ. */
  note(timestamp: number, arrivedAtMs: number): void {
    this.#sentTicks += timestampDistance(this.#timestamp ?? timestamp, timestamp);
    this.#timestamp = timestamp;
    this.#leastWaitMs = Math.min(this.#leastWaitMs, arrivedAtMs - (this.#sentTicks * 1000) / this.#clockRate);
  }

  /** At least once a second, with the time since and what arrived, bit/s. Infinity while nothing limits the sender. */
  after(seconds: number, receivedBps: number): number {
    this.#seconds += seconds;
    const waitMs = this.#leastWaitMs;
    if (!Number.isFinite(waitMs)) return this.#bps;
    this.#leastWaitMs = Number.POSITIVE_INFINITY;
    const atSeconds = this.#seconds;
    this.#leastWaits.push({ waitMs, atSeconds });
    while (atSeconds - (this.#leastWaits[0]?.atSeconds ?? atSeconds) >= rememberedSeconds) this.#leastWaits.shift();
    let leastMs = waitMs;
    for (const one of this.#leastWaits) leastMs = Math.min(leastMs, one.waitMs);
    const queuedMs = waitMs - leastMs;
    if (queuedMs > standingMs) this.#bps = decrease * receivedBps;
    else this.#bps = Math.min(this.#bps * increasePerSecond ** seconds, this.#highest(receivedBps));
    return this.#bps;
  }

  #highest(receivedBps: number): number {
    // Where nothing was ever held back there is nothing to grow from.
    return Number.isFinite(this.#bps)
      ? Math.max(this.#bps, mostAboveReceived * receivedBps + headroomBps)
      : Number.POSITIVE_INFINITY;
  }
}
