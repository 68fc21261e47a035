import { type OutgoingHeader, writeRtpHeader } from './rtp.js';
import { repairedBy, rtxPayload } from './rtx.js';
import type { OfferedCodec } from './sdp.js';
import { SentPackets } from './sent-packets.js';

/** Keeps what was sent, and sends again what is asked for. */
export interface Resending {
  keep(header: OutgoingHeader, payload: Buffer, datagram: Buffer): void;
  resend(sequenceNumber: number, nowMs: number): void;
}

/** Sends the very datagram again, on the stream that it was of: what is left without RTX (RFC 4585 does not say how). */
export class ResendAsSent implements Resending {
  readonly #sent = new SentPackets<Buffer>();
  readonly #send: (datagram: Buffer) => void;

  constructor(send: (datagram: Buffer) => void) {
    this.#send = send;
  }

  keep({ sequenceNumber, nowMs }: OutgoingHeader, _payload: Buffer, datagram: Buffer): void {
    this.#sent.put(sequenceNumber, datagram, nowMs);
  }

  resend(sequenceNumber: number, nowMs: number): void {
    const datagram = this.#sent.take(sequenceNumber, nowMs);
    if (datagram !== undefined) this.#send(datagram);
  }
}

/** Where datagrams go. */
interface Line {
  send(datagram: Buffer): void;
  sendRtp(header: Buffer, payload: Buffer, ssrc: number, sequenceNumber: number, rollover: number): unknown;
}

/** By RTX where its codecs were negotiated. */
export function resendingOf(repairs: readonly OfferedCodec[], ssrc: number, line: Line): Resending {
  if (repairs.length === 0) return new ResendAsSent((datagram) => line.send(datagram));
  return new ResendAsRtx({
    ssrc,
    payloadTypes: new Map(repairs.map((codec) => [repairedBy(codec) ?? -1, codec.payloadType])),
    transmit: (header, payload, of, number, rollover) => line.sendRtp(header, payload, of, number, rollover),
    start: Math.floor(Math.random() * 16_384),
  });
}

export interface RtxOptions {
  readonly ssrc: number;
  /** RTX payload type by the payload type of what is sent again. */
  readonly payloadTypes: ReadonlyMap<number, number>;
  readonly transmit: (
    header: Buffer,
    payload: Buffer,
    ssrc: number,
    sequenceNumber: number,
    rollover: number,
  ) => unknown;
  /** Number of the first packet, below 32768. */
  readonly start: number;
}

/** Sends it on a stream of its own, with an SSRC of its own in the same session (RTX, RFC 4588). */
export class ResendAsRtx implements Resending {
  readonly #options: RtxOptions;
  readonly #sent = new SentPackets<{ readonly header: OutgoingHeader; readonly payload: Buffer }>();
  #next: number;

  constructor(options: RtxOptions) {
    this.#options = options;
    this.#next = options.start;
  }

  keep(header: OutgoingHeader, payload: Buffer): void {
    this.#sent.put(header.sequenceNumber, { header, payload }, header.nowMs);
  }

  resend(sequenceNumber: number, nowMs: number): void {
    const sent = this.#sent.take(sequenceNumber, nowMs);
    if (!sent) return;
    const { header: first, payload } = sent;
    const payloadType = this.#options.payloadTypes.get(first.payloadType);
    if (payloadType === undefined) return;
    const { ssrc, transmit } = this.#options;
    const own = this.#next;
    this.#next += 1;
    // The time stays that of the frame (RFC 4588, 4); the number is the RTX stream's own, each time a new one.
    const header = writeRtpHeader({ ...first, ssrc, payloadType, sequenceNumber: own & 0xffff, nowMs });
    transmit(header, rtxPayload(first.sequenceNumber, payload), ssrc, own & 0xffff, Math.floor(own / 65_536));
  }
}
