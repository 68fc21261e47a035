import { type LeavingPacket, leavingPacket, type OutgoingPacket } from '../../rtp/outgoing-packet.js';
import type { HeaderExtensions } from '../../rtp/rtp.js';
import { repairedBy } from '../../rtp/rtx.js';
import type { OfferedCodec } from '../../rtp/sdp.js';
import { SentPackets } from './sent-packets.js';

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
