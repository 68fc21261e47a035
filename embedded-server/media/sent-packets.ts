import { sequenceDistance } from './rtp.js';

const slots = 512;
const keepMs = 1000;
/** The same packet is not resent sooner: NACKs for it may still be on their way. */
const resendGapMs = 10;

interface Sent<Packet> {
  readonly sequenceNumber: number;
  readonly packet: Packet;
  readonly sentAtMs: number;
  resentAtMs: number;
}

/**
 * What was sent in the last second, to answer NACKs. On the stream that it was of, a packet must be sent again bit for bit as
 * encrypted: encrypting it anew with other header bytes under the same SRTP index would use an AES-GCM nonce twice.
 */
export class SentPackets<Packet> {
  readonly #againAfterMs: () => number;
  readonly #ring: (Sent<Packet> | undefined)[] = new Array<Sent<Packet> | undefined>(slots).fill(undefined);
  #oldest: number | undefined;
  #newest: number | undefined;

  /** `againAfterMs`: a packet that was resent is not resent once more before. */
  constructor(againAfterMs: () => number = () => resendGapMs) {
    this.#againAfterMs = againAfterMs;
  }

  put(sequenceNumber: number, packet: Packet, nowMs: number): void {
    this.#ring[sequenceNumber % slots] = { sequenceNumber, packet, sentAtMs: nowMs, resentAtMs: 0 };
    if (this.#newest === undefined || sequenceDistance(this.#newest, sequenceNumber) > 0) this.#newest = sequenceNumber;
    this.#oldest ??= sequenceNumber;
    this.#forgetOld(this.#oldest, this.#newest, nowMs);
  }

  get size(): number {
    return this.#ring.reduce((count, sent) => (sent === undefined ? count : count + 1), 0);
  }

  /** The packet to resend; `undefined` when it is too old, unknown, or was resent just now. */
  take(sequenceNumber: number, nowMs: number): Packet | undefined {
    const sent = this.#ring[sequenceNumber % slots];
    if (sent === undefined || sent.sequenceNumber !== sequenceNumber) return undefined;
    if (nowMs - sent.sentAtMs > keepMs || nowMs - sent.resentAtMs < this.#againAfterMs()) return undefined;
    sent.resentAtMs = nowMs;
    return sent.packet;
  }

  #forgetOld(oldest: number, newest: number, nowMs: number): void {
    for (let at = oldest; at !== newest; at = (at + 1) & 0xffff) {
      const sent = this.#ring[at % slots];
      if (sent?.sequenceNumber === at && nowMs - sent.sentAtMs <= keepMs) break;
      if (sent?.sequenceNumber === at) this.#ring[at % slots] = undefined;
      this.#oldest = (at + 1) & 0xffff;
    }
  }
}
