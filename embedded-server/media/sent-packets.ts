import { sequenceDistance } from './rtp.js';

const slots = 512;
const keepMs = 1000;
/** The same packet is not resent sooner: NACKs for it may still be on their way. */
const resendGapMs = 10;

/**
 * What was sent in the last second, to answer NACKs. On the stream that it was of, a packet must be sent again bit for bit as
 * encrypted: encrypting it anew with other header bytes under the same SRTP index would use an AES-GCM nonce twice.
 */
export class SentPackets<Packet> {
  // Columns, and no object for each packet: what lives for a second is what collecting garbage costs most for.
  readonly #packets = new Array<Packet | undefined>(slots).fill(undefined);
  readonly #numbers = new Uint16Array(slots);
  readonly #sentAtMs = new Float64Array(slots);
  readonly #resentAtMs = new Float64Array(slots);
  #oldest: number | undefined;
  #newest: number | undefined;

  put(sequenceNumber: number, packet: Packet, nowMs: number): void {
    const slot = sequenceNumber % slots;
    this.#packets[slot] = packet;
    this.#numbers[slot] = sequenceNumber;
    this.#sentAtMs[slot] = nowMs;
    this.#resentAtMs[slot] = 0;
    if (this.#newest === undefined || sequenceDistance(this.#newest, sequenceNumber) > 0) this.#newest = sequenceNumber;
    this.#oldest ??= sequenceNumber;
    this.#forgetOld(this.#oldest, this.#newest, nowMs);
  }

  get size(): number {
    return this.#packets.reduce((count, packet) => (packet === undefined ? count : count + 1), 0);
  }

  /** The packet to resend; `undefined` when it is too old, unknown, or was resent just now. */
  take(sequenceNumber: number, nowMs: number): Packet | undefined {
    const slot = sequenceNumber % slots;
    const packet = this.#packets[slot];
    if (packet === undefined || this.#numbers[slot] !== sequenceNumber) return undefined;
    const [sentAtMs = 0, resentAtMs = 0] = [this.#sentAtMs[slot], this.#resentAtMs[slot]];
    if (nowMs - sentAtMs > keepMs || nowMs - resentAtMs < resendGapMs) return undefined;
    this.#resentAtMs[slot] = nowMs;
    return packet;
  }

  #forgetOld(oldest: number, newest: number, nowMs: number): void {
    for (let at = oldest; at !== newest; at = (at + 1) & 0xffff) {
      const slot = at % slots;
      const isThere = this.#packets[slot] !== undefined && this.#numbers[slot] === at;
      if (isThere && nowMs - (this.#sentAtMs[slot] ?? 0) <= keepMs) break;
      if (isThere) this.#packets[slot] = undefined;
      this.#oldest = (at + 1) & 0xffff;
    }
  }
}
