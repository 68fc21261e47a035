import { sequenceDistance } from '../../rtp/rtp.js';
import { restartDistance } from '../../rtp/sequence-line.js';

/**
 * Gives one outgoing stream sequence numbers and timestamps without a seam, whatever sources feed it.
 *
 * Gaps and reordering of the source are kept (a receiver must see what was lost on the way in, or its decoder would be
 * fed broken frames as if they were whole); a change of source continues with the next number and with a timestamp
 * that has advanced by the time that passed. `rewrite` leaves its answer in the fields, to allocate nothing per packet.
 */
export class SequenceRewriter {
  readonly #clockRate: number;
  /** Extended outgoing number of the newest packet, and the source's number it had. */
  #newest: number;
  #newestSource: number | undefined;
  #firstOfSource = 0;
  #timestampOffset = 0;
  #newestTimestamp = 0;
  #newestAtMs = 0;
  sequenceNumber = 0;
  /** Rollover counter of the packet (RFC 3711 3.3.1). */
  rollover = 0;
  timestamp = 0;

  /** `start` is the number before the first packet, below 32768 so that receivers place the first rollover right. */
  constructor(clockRate: number, start: number) {
    this.#clockRate = clockRate;
    this.#newest = start;
  }

  /** The next packet is the first of another source. */
  changeSource(): void {
    this.#newestSource = undefined;
  }

  /** Whether a packet with this number is one of a source that has begun anew: the gap to it is no loss. */
  jumps(sequenceNumber: number): boolean {
    const from = this.#newestSource;
    return from !== undefined && Math.abs(sequenceDistance(from, sequenceNumber)) > restartDistance;
  }

  /** Returns false for a packet from before the change of source, which has no number left. */
  rewrite(sequenceNumber: number, timestamp: number, nowMs: number): boolean {
    if (this.#newestSource === undefined) {
      this.#begin(sequenceNumber, timestamp, nowMs);
      return true;
    }
    const distance = sequenceDistance(this.#newestSource, sequenceNumber);
    const extended = this.#newest + distance;
    if (extended < this.#firstOfSource) return false;
    this.#set(extended, (timestamp + this.#timestampOffset) >>> 0);
    if (distance > 0) this.#advance(extended, sequenceNumber, nowMs);
    return true;
  }

  /** A packet that is left out on purpose: those behind it close up, so that it is no loss. */
  leaveOut(sequenceNumber: number): void {
    if (this.#newestSource === undefined) return;
    const distance = sequenceDistance(this.#newestSource, sequenceNumber);
    if (distance <= 0) return;
    this.#newest += distance - 1;
    this.#newestSource = sequenceNumber;
    // What came before it and is late has no number that is right any more.
    this.#firstOfSource = this.#newest + 1;
  }

  /** The outgoing timestamp for a timestamp of the present source. */
  mapTimestamp(timestamp: number): number {
    return (timestamp + this.#timestampOffset) >>> 0;
  }

  #begin(sequenceNumber: number, timestamp: number, nowMs: number): void {
    const elapsed = this.#newestAtMs === 0 ? 0 : Math.round(((nowMs - this.#newestAtMs) * this.#clockRate) / 1000);
    const continued = this.#newestAtMs === 0 ? timestamp : (this.#newestTimestamp + Math.max(1, elapsed)) >>> 0;
    this.#timestampOffset = (continued - timestamp) | 0;
    this.#firstOfSource = this.#newest + 1;
    this.#set(this.#firstOfSource, continued);
    this.#advance(this.#firstOfSource, sequenceNumber, nowMs);
  }

  #set(extended: number, timestamp: number): void {
    this.sequenceNumber = extended & 0xffff;
    this.rollover = Math.floor(extended / 65_536);
    this.timestamp = timestamp;
  }

  #advance(extended: number, sequenceNumber: number, nowMs: number): void {
    this.#newest = extended;
    this.#newestSource = sequenceNumber;
    this.#newestTimestamp = this.timestamp;
    this.#newestAtMs = nowMs;
  }
}
