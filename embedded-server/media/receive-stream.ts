import { middleOf } from '../../rtp/ntp.js';
import type { ReportBlock } from '../../rtp/rtcp.js';
import { sequenceDistance, timestampDistance } from '../../rtp/rtp.js';
import { SequenceLine } from '../../rtp/sequence-line.js';

/** Duplicates are told apart over this many sequence numbers; a power of two. */
const memory = 2048;

/**
 * Reception statistics of one incoming stream (RFC 3550 A.3, A.8), for receiver reports.
 *
 * A packet counts once: an exact duplicate is not counted as received, so that resent packets cannot hide loss by
 * making the cumulative number negative. A packet that a NACK brought back does fill its gap, as everywhere in RTP.
 * Jitter follows the first packet of each frame: later packets of a frame carry the same timestamp though they were
 * sent later, and would add the sender's pacing to the network's jitter.
 */
export class ReceiveStream {
  readonly ssrc: number;
  readonly #clockRate: number;
  readonly #line = new SequenceLine();
  readonly #seen = new Float64Array(memory).fill(-1);
  #base = -1;
  #highest = -1;
  #received = 0;
  #duplicates = 0;
  #jitter = 0;
  #lastTransit: number | undefined;
  #lastTimestamp: number | undefined;
  #expectedBefore = 0;
  #receivedBefore = 0;
  #lastFractionLost = 0;
  #senderReport: { readonly middle: number; readonly atMs: number } | undefined;
  bytes = 0;

  constructor(ssrc: number, clockRate: number) {
    this.ssrc = ssrc;
    this.#clockRate = clockRate;
  }

  /**
   * Counts one packet. Returns its extended sequence number (cycles × 65536 + number), or `undefined` for an exact
   * duplicate or a stray, which must not be forwarded. A sender that has restarted (`restarts` says so) is counted from
   * zero.
   */
  count(sequenceNumber: number, timestamp: number, nowMs: number): number | undefined {
    const restartsBefore = this.#line.restarts;
    const extended = this.#line.place(sequenceNumber);
    if (extended === undefined) return undefined;
    if (this.#highest < 0 || this.#line.restarts > restartsBefore) this.#begin(extended);
    const slot = extended & (memory - 1);
    if (this.#seen[slot] === extended) {
      this.#duplicates += 1;
      return undefined;
    }
    this.#seen[slot] = extended;
    this.#received += 1;
    if (extended > this.#highest) {
      this.#highest = extended;
      this.#updateJitter(timestamp, nowMs);
    } else if (extended < this.#base) {
      this.#base = extended;
    }
    return extended;
  }

  /**
   * Notes a packet that came again on another stream (RTX). It was lost here and stays so: reports tell the losses of
   * the stream that it was first sent on (RFC 4588, 6). `undefined` for one that had come, or that this stream has not
   * got to.
   */
  recover(sequenceNumber: number): number | undefined {
    const extended = this.#highest + sequenceDistance(this.#highest & 0xffff, sequenceNumber);
    if (this.#highest < 0 || extended < this.#base || extended > this.#highest) return undefined;
    const slot = extended & (memory - 1);
    if (this.#seen[slot] === extended) return undefined;
    this.#seen[slot] = extended;
    return extended;
  }

  #begin(first: number): void {
    this.#seen.fill(-1);
    this.#base = first;
    this.#highest = first - 1;
    this.#received = 0;
    this.#duplicates = 0;
    this.#expectedBefore = 0;
    this.#receivedBefore = 0;
    this.#lastFractionLost = 0;
    this.#jitter = 0;
    this.#lastTransit = undefined;
    this.#lastTimestamp = undefined;
    this.#senderReport = undefined;
    this.bytes = 0;
  }

  /** How often the sender has begun anew, with numbers far from those before. */
  get restarts(): number {
    return this.#line.restarts;
  }

  #updateJitter(timestamp: number, nowMs: number): void {
    if (timestamp === this.#lastTimestamp) return;
    this.#lastTimestamp = timestamp;
    const transit = ((nowMs * this.#clockRate) / 1000 - timestamp) % 2 ** 32;
    if (this.#lastTransit !== undefined) {
      const change = Math.abs(timestampDistance(Math.round(this.#lastTransit), Math.round(transit)));
      // A sender that starts a new timestamp line would poison the estimate for minutes.
      if (change < this.#clockRate * 5) this.#jitter += (change - this.#jitter) / 16;
    }
    this.#lastTransit = transit;
  }

  /** Remembers a sender report, whose NTP time the next receiver reports echo. */
  noteSenderReport(ntpSeconds: number, ntpFraction: number, nowMs: number): void {
    const middle = middleOf({ ntpSeconds, ntpFraction });
    this.#senderReport = { middle, atMs: nowMs };
  }

  get packets(): number {
    return this.#received;
  }

  get duplicates(): number {
    return this.#duplicates;
  }

  get lost(): number {
    return this.#base < 0 ? 0 : this.#highest - this.#base + 1 - this.#received;
  }

  get jitterSeconds(): number {
    return this.#jitter / this.#clockRate;
  }

  get fractionLost(): number {
    return this.#lastFractionLost;
  }

  /** The report block for now; the fraction lost is over the time since the last call. */
  report(nowMs: number): ReportBlock {
    const expected = this.#highest - this.#base + 1;
    const expectedNow = expected - this.#expectedBefore;
    const lostNow = expectedNow - (this.#received - this.#receivedBefore);
    this.#expectedBefore = expected;
    this.#receivedBefore = this.#received;
    const fractionLost =
      expectedNow <= 0 || lostNow <= 0 ? 0 : Math.min(255, Math.floor((lostNow * 256) / expectedNow));
    this.#lastFractionLost = fractionLost;
    return {
      ssrc: this.ssrc,
      fractionLost,
      cumulativeLost: expected - this.#received,
      // The first cycle starts at 65536 here, at zero on the wire.
      highestSequenceNumber: this.#highest - 65_536,
      jitter: Math.round(this.#jitter),
      lastSenderReport: this.#senderReport?.middle ?? 0,
      delaySinceLastSenderReport:
        this.#senderReport === undefined ? 0 : Math.round((nowMs - this.#senderReport.atMs) * 65.536),
    };
  }
}
