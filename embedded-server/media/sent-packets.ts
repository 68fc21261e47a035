import type { LeavingPacket, OutgoingPacket } from '../../rtp/outgoing-packet.js';
import { sequenceDistance } from '../../rtp/rtp.js';

const slots = 512;
const keepMs = 1000;
/** The same packet is not resent sooner: NACKs for it may still be on their way. */
const resendGapMs = 10;

const markerBit = 0x80;
const paddingBit = 0x100;

/** Packets of the last second of a stream, to answer NACKs: all that their datagrams are made from, byte for byte. */
export class SentPackets {
  // Columns, and no object for each packet: what lives for a second is what collecting garbage costs most for. Bodies
  // are shared by all who are sent them.
  readonly #bodies = new Array<Uint8Array | undefined>(slots).fill(undefined);
  readonly #numbers = new Uint16Array(slots);
  readonly #rollovers = new Uint32Array(slots);
  readonly #timestamps = new Uint32Array(slots);
  /** Payload type, marker and padding. */
  readonly #marks = new Uint16Array(slots);
  readonly #sentAtMs = new Float64Array(slots);
  readonly #resentAtMs = new Float64Array(slots);
  #oldest: number | undefined;
  #newest: number | undefined;

  /** A packet without a head, at the time in its header. */
  put({ header, rollover, body }: OutgoingPacket): void {
    const { sequenceNumber, nowMs } = header;
    const slot = sequenceNumber % slots;
    this.#bodies[slot] = body;
    this.#numbers[slot] = sequenceNumber;
    this.#rollovers[slot] = rollover;
    this.#timestamps[slot] = header.timestamp;
    this.#marks[slot] = header.payloadType | (header.marker ? markerBit : 0) | (header.padding ? paddingBit : 0);
    this.#sentAtMs[slot] = nowMs;
    this.#resentAtMs[slot] = 0;
    if (this.#newest === undefined || sequenceDistance(this.#newest, sequenceNumber) > 0) this.#newest = sequenceNumber;
    this.#oldest ??= sequenceNumber;
    this.#forgetOld(this.#oldest, this.#newest, nowMs);
  }

  get size(): number {
    return this.#bodies.reduce((count, body) => (body === undefined ? count : count + 1), 0);
  }

  /** Writes a packet as it was sent over `to`; `false`, without writing, if it is too old, unknown or just resent. */
  take(sequenceNumber: number, nowMs: number, to: LeavingPacket): boolean {
    const slot = sequenceNumber % slots;
    const body = this.#bodies[slot];
    if (body === undefined || this.#numbers[slot] !== sequenceNumber) return false;
    const [sentAtMs = 0, resentAtMs = 0] = [this.#sentAtMs[slot], this.#resentAtMs[slot]];
    if (nowMs - sentAtMs > keepMs || nowMs - resentAtMs < resendGapMs) return false;
    this.#resentAtMs[slot] = nowMs;
    const marks = this.#marks[slot] ?? 0;
    const { header } = to;
    header.payloadType = marks & 0x7f;
    header.marker = (marks & markerBit) !== 0;
    header.padding = (marks & paddingBit) !== 0;
    header.sequenceNumber = sequenceNumber;
    header.timestamp = this.#timestamps[slot] ?? 0;
    header.nowMs = sentAtMs;
    to.rollover = this.#rollovers[slot] ?? 0;
    to.body = body;
    return true;
  }

  #forgetOld(oldest: number, newest: number, nowMs: number): void {
    for (let at = oldest; at !== newest; at = (at + 1) & 0xffff) {
      const slot = at % slots;
      const isThere = this.#bodies[slot] !== undefined && this.#numbers[slot] === at;
      if (isThere && nowMs - (this.#sentAtMs[slot] ?? 0) <= keepMs) break;
      if (isThere) this.#bodies[slot] = undefined;
      this.#oldest = (at + 1) & 0xffff;
    }
  }
}
