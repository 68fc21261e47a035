import type { ReportBlock } from '../../rtp/rtcp.js';

import { timestampDistance } from '../../rtp/rtp.js';
import { SequenceLine } from '../../rtp/sequence-line.js';

/**
 * Duplicates are told apart over so many packets, a power of two: libsrtp, which stands before Chromium's counters,
 * drops them.
 */
const memory = 2048;
/**
 * A difference of two times on the way that is larger than this many seconds says that the sender's clock was set, and
 * nothing of the way.
 */
const jitterMostS = 5;

/**
 * What getStats counts of one received SSRC, as Chromium counts it (webrtc-stats `inbound-rtp`; RFC 3550, A.3 and A.8).
 *
 * Packets that come late fill their gaps. Jitter looks at packets that come in order and begin another timestamp, and
 * compares each with the packet just before it: what is sent over a while within a frame is therefore part of it, in
 * Chromium as here.
 */
export class StreamCounts {
  readonly ssrc: number;
  readonly #clockRate: number;
  readonly #line = new SequenceLine();
  /** By the low bits of their places; no packet has place 0. */
  readonly #seen = new Uint32Array(memory);
  #highest = -1;
  #hadStray = false;
  /**
   * Of the last packet in order; `NaN` before there is one. Two numbers and no object: they are written with each
   * packet.
   */
  #lastTimestamp = Number.NaN;
  #lastAtMs = Number.NaN;
  #jitter = 0;
  #expected = 0;
  #before = { expected: 0, lost: 0 };
  #senderReport: { readonly middle: number; readonly atMs: number } | undefined;
  packets = 0;
  payloadBytes = 0;
  /** Below zero when more has come than there were gaps. */
  lost = 0;

  constructor(ssrc: number, clockRate: number) {
    this.ssrc = ssrc;
    this.#clockRate = clockRate;
  }

  /**
   * Returns the place of the packet on a line that does not wrap; `undefined` for a duplicate, and for one far away
   * from all others.
   */
  take(sequenceNumber: number, timestamp: number, payloadBytes: number, nowMs: number): number | undefined {
    const restarts = this.#line.restarts;
    const extended = this.#line.place(sequenceNumber);
    if (extended !== undefined && this.#line.restarts === restarts && this.#wasSeen(extended)) return undefined;
    this.packets += 1;
    this.payloadBytes += payloadBytes;
    if (extended === undefined) {
      this.#hadStray = true;
      return undefined;
    }
    if (this.#line.restarts > restarts) this.#beginAnew(extended);
    // One that was far away and no restart has come all the same.
    else if (this.#hadStray) this.lost -= 1;
    this.#hadStray = false;
    this.#seen[extended & (memory - 1)] = extended;
    this.#place(extended, timestamp, nowMs);
    return extended;
  }

  #wasSeen(extended: number): boolean {
    return this.#seen[extended & (memory - 1)] === extended;
  }

  /**
   * A packet that has come on the stream for resending fills no gap here (RFC 4588, 6), and is no duplicate if it
   * comes.
   */
  isMissing(extended: number): boolean {
    return extended <= this.#highest && !this.#wasSeen(extended);
  }

  /** How often the sender has begun anew, with numbers far from those before. */
  get restarts(): number {
    return this.#line.restarts;
  }

  get highest(): number {
    return this.#highest;
  }

  #beginAnew(extended: number): void {
    this.#seen.fill(0);
    // The stray before it was the first of the new numbers: neither is a loss.
    this.#highest = extended - 1;
    this.#expected += 1;
    this.#lastTimestamp = Number.NaN;
    this.#senderReport = undefined;
  }

  #place(extended: number, timestamp: number, nowMs: number): void {
    if (this.#highest < 0) this.#highest = extended - 1;
    if (extended < this.#highest) {
      this.lost -= 1;
      return;
    }
    const skipped = extended - this.#highest - 1;
    this.lost += skipped;
    this.#expected += skipped + 1;
    this.#highest = extended;
    if (!Number.isNaN(this.#lastTimestamp) && this.#lastTimestamp !== timestamp) this.#updateJitter(timestamp, nowMs);
    this.#lastTimestamp = timestamp;
    this.#lastAtMs = nowMs;
  }

  #updateJitter(timestamp: number, nowMs: number): void {
    const arrivedTicks = ((nowMs - this.#lastAtMs) * this.#clockRate) / 1000;
    const change = Math.abs(arrivedTicks - timestampDistance(this.#lastTimestamp, timestamp));
    if (change < this.#clockRate * jitterMostS) this.#jitter += (change - this.#jitter) / 16;
  }

  get jitterSeconds(): number {
    return this.#jitter / this.#clockRate;
  }

  noteSenderReport(middle: number, atMs: number): void {
    this.#senderReport = { middle, atMs };
  }

  /** The report block for now (RFC 3550, 6.4.1); the fraction lost is over the time since the last call. */
  report(nowMs: number): ReportBlock {
    const expected = this.#expected - this.#before.expected;
    const lost = this.lost - this.#before.lost;
    this.#before = { expected: this.#expected, lost: this.lost };
    return {
      ssrc: this.ssrc,
      fractionLost: expected <= 0 || lost <= 0 ? 0 : Math.min(255, Math.floor((lost * 256) / expected)),
      cumulativeLost: this.lost,
      // The first cycle starts at 65536 here, at zero on the wire.
      highestSequenceNumber: this.#highest - 65_536,
      jitter: Math.round(this.#jitter),
      lastSenderReport: this.#senderReport?.middle ?? 0,
      delaySinceLastSenderReport: this.#senderReport ? Math.round((nowMs - this.#senderReport.atMs) * 65.536) : 0,
    };
  }
}
