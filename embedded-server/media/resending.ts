import { type LeavingPacket, leavingPacket, type OutgoingPacket } from '../../rtp/outgoing-packet.js';
import { type HeaderExtensions, sequenceDistance } from '../../rtp/rtp.js';
import { repairedBy } from '../../rtp/rtx.js';
import type { OfferedCodec } from '../../rtp/sdp.js';

/** Keeps what was sent, and sends again what is asked for. */
export interface Resending {
  /** All but the body of the packet is written over afterwards. */
  keep(packet: OutgoingPacket): void;
  resend(sequenceNumber: number, nowMs: number): void;
}

/** Encrypts and sends. */
type Transmit = (packet: LeavingPacket) => unknown;

/**
 * Sends the very datagram again, on the stream that it was of: what is left without RTX (RFC 4585 does not say how). It
 * is made anew from the same packet under the same SRTP index, which gives the same bytes; with one other byte in its
 * header a nonce of AES-GCM would be used twice.
 */
export class ResendAsSent implements Resending {
  readonly #sent = new SentPackets();
  readonly #again: LeavingPacket;
  readonly #transmit: Transmit;

  constructor(ssrc: number, extensions: HeaderExtensions, transmit: Transmit) {
    this.#again = leavingPacket(ssrc, extensions);
    this.#transmit = transmit;
  }

  keep(packet: OutgoingPacket): void {
    this.#sent.put(packet);
  }

  resend(sequenceNumber: number, nowMs: number): void {
    if (this.#sent.take(sequenceNumber, nowMs, this.#again)) this.#transmit(this.#again);
  }
}

/** What was negotiated of a stream whose packets may be asked for again. */
interface Repaired extends HeaderExtensions {
  readonly repairs: readonly OfferedCodec[];
}

/** By RTX where its codecs were negotiated. */
export function resendingOf(
  media: Repaired,
  { own, rtx }: { readonly own: number; readonly rtx: number },
  transmit: Transmit,
): Resending {
  const { repairs } = media;
  if (repairs.length === 0) return new ResendAsSent(own, media, transmit);
  return new ResendAsRtx({
    ssrc: rtx,
    payloadTypes: new Map(repairs.map((codec) => [repairedBy(codec) ?? -1, codec.payloadType])),
    extensions: media,
    transmit,
    start: Math.floor(Math.random() * 16_384),
  });
}

interface RtxOptions {
  readonly ssrc: number;
  /** RTX payload type by the payload type of what is sent again. */
  readonly payloadTypes: ReadonlyMap<number, number>;
  readonly extensions: HeaderExtensions;
  readonly transmit: Transmit;
  /** Number of the first packet, below 32768. */
  readonly start: number;
}

/** Sends it on a stream of its own, with an SSRC of its own in the same session (RTX, RFC 4588). */
export class ResendAsRtx implements Resending {
  readonly #options: RtxOptions;
  readonly #sent = new SentPackets();
  readonly #again: LeavingPacket;
  #next: number;

  constructor(options: RtxOptions) {
    this.#options = options;
    this.#again = leavingPacket(options.ssrc, options.extensions);
    // The number that it had stands before the payload (RFC 4588, 4).
    this.#again.headBytes = 2;
    this.#next = options.start;
  }

  keep(packet: OutgoingPacket): void {
    this.#sent.put(packet);
  }

  resend(sequenceNumber: number, nowMs: number): void {
    const again = this.#again;
    const { header } = again;
    if (!this.#sent.take(sequenceNumber, nowMs, again)) return;
    const payloadType = this.#options.payloadTypes.get(header.payloadType);
    if (payloadType === undefined) return;
    header.payloadType = payloadType;
    // The time stays that of the frame (RFC 4588, 4); the number is the RTX stream's own, each time a new one.
    header.sequenceNumber = this.#next & 0xffff;
    header.nowMs = nowMs;
    again.rollover = Math.floor(this.#next / 65_536);
    again.head = sequenceNumber;
    this.#next += 1;
    this.#options.transmit(again);
  }
}

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
