import { sequenceDistance } from './rtp.js';

/** A jump this far is a restarted sender, not loss (RFC 3550 A.1, MAX_DROPOUT). */
export const restartDistance = 3000;

/**
 * Where the packets of one stream stand on a line that does not wrap: cycles × 65536 + number (RFC 3550, A.1).
 *
 * One packet far away from all others is a stray. When the one that follows it comes next, the sender has restarted:
 * the line begins anew there, and `restarts` has counted it.
 */
export class SequenceLine {
  #highest: number | undefined;
  /** The number that would prove a restart. */
  #expectedAfterStray: number | undefined;
  restarts = 0;

  get highest(): number | undefined {
    return this.#highest;
  }

  /** `undefined` for a stray. */
  place(sequenceNumber: number): number | undefined {
    if (this.#highest === undefined) return this.#begin(sequenceNumber);
    const distance = sequenceDistance(this.#highest & 0xffff, sequenceNumber);
    if (Math.abs(distance) <= restartDistance) {
      this.#expectedAfterStray = undefined;
      if (distance > 0) this.#highest += distance;
      return distance > 0 ? this.#highest : this.#highest + distance;
    }
    if (this.#expectedAfterStray === sequenceNumber) {
      this.restarts += 1;
      return this.#begin(sequenceNumber);
    }
    this.#expectedAfterStray = (sequenceNumber + 1) & 0xffff;
    return undefined;
  }

  #begin(sequenceNumber: number): number {
    this.#expectedAfterStray = undefined;
    // One cycle up, so that packets from just before the first one do not become negative.
    this.#highest = 65_536 + sequenceNumber;
    return this.#highest;
  }
}
