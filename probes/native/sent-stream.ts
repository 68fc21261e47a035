import { randomInt } from 'node:crypto';
import type { PacketPlace } from '../../embedded-server/media/key-stream.js';
import { middleOf, toNtp } from '../../embedded-server/media/ntp.js';
import { ResendAsRtx } from '../../embedded-server/media/resending.js';
import type { ReportBlock, SenderReport } from '../../embedded-server/media/rtcp.js';
import { type OutgoingHeader, writeRtpHeader } from '../../embedded-server/media/rtp.js';
import { SentPackets } from '../../embedded-server/media/sent-packets.js';
import type { MediaKind } from '../../model/scenario.js';
import { payloadBytes, type SentPayload } from './frame-packets.js';

/** As libwebrtc: a packet that was resent is not resent once more before a round trip and so much. */
const resentGraceMs = 5;
const nothing = Buffer.alloc(0);

/** The datagram that it gives is in memory that the next one is written over. */
export type Transmit = (header: Buffer, payload: SentPayload, place: PacketPlace) => Buffer | undefined;

export interface SentStreamOptions {
  readonly kind: MediaKind;
  readonly ssrc: number;
  readonly payloadType: number;
  readonly clockRate: number;
  /** The stream for resending; absent: what is asked for is sent again as it was. */
  readonly resent?: { readonly ssrc: number; readonly payloadType: number };
  readonly absSendTimeId: number | undefined;
  readonly transportNumberId: number | undefined;
  readonly nowMs: () => number;
  /** Numbers, encrypts and sends; `undefined` while the link is down. */
  readonly transmit: Transmit;
  /** Sends a datagram that was encrypted before. */
  readonly send: (datagram: Buffer) => void;
}

/** A packet with its place in the stream, before it leaves. */
export interface PlacedPacket {
  readonly number: number;
  readonly timestamp: number;
  readonly marker: boolean;
  readonly payload: SentPayload;
}

/** What the server's receiver reports said last of a stream. */
export interface RemoteReport {
  readonly atMs: number;
  readonly packetsLost: number;
  readonly jitterSeconds: number;
  readonly roundTripMs: number | undefined;
  /** How many reports gave a round trip. */
  readonly roundTrips: number;
}

/** One SSRC that a native probe sends, and what getStats counts of it (webrtc-stats `outbound-rtp`, `remote-inbound-rtp`). */
export class SentStream {
  readonly kind: MediaKind;
  readonly ssrc: number;
  readonly #options: SentStreamOptions;
  readonly #rtx: ResendAsRtx | undefined;
  readonly #againAfterMs = (): number => (this.remote?.roundTripMs ?? 0) + resentGraceMs;
  /** Where it is sent again by RTX, as it was before it was encrypted. */
  readonly #placed = new SentPackets<PlacedPacket>(this.#againAfterMs);
  readonly #sent = new SentPackets<{ readonly datagram: Buffer; readonly bytes: number }>(this.#againAfterMs);
  /** Below 32768: what comes late at the other end must not seem to be of a round before the first. */
  #next = randomInt(1, 16_384);
  readonly #firstTimestamp = randomInt(2 ** 32);
  #last: { readonly timestamp: number; readonly atMs: number } | undefined;
  /** Of new packets alone, as sender reports have it (RFC 3550, 6.4.1). */
  #newPackets = 0;
  #newBytes = 0;
  #againBytes = 0;
  packets = 0;
  payloadBytes = 0;
  resentPackets = 0;
  nacks = 0;
  plis = 0;
  remote: RemoteReport | undefined;

  constructor(options: SentStreamOptions) {
    this.kind = options.kind;
    this.ssrc = options.ssrc;
    this.#options = options;
    const { resent } = options;
    this.#rtx =
      resent &&
      new ResendAsRtx({
        ssrc: resent.ssrc,
        payloadTypes: new Map([[options.payloadType, resent.payloadType]]),
        transmit: (header, body, ssrc, sequenceNumber, rollover) => {
          const place = { ssrc, sequenceNumber, rollover };
          this.#again(body.length, options.transmit(header, { head: nothing, body }, place));
        },
        againAfterMs: this.#againAfterMs,
        start: randomInt(1, 16_384),
      });
  }

  /** Gives the next packet its number. `ticks` of the clock have passed since the stream began. */
  place(payload: SentPayload, marker: boolean, ticks: number): PlacedPacket {
    const number = this.#next;
    this.#next += 1;
    return { number, timestamp: (this.#firstTimestamp + ticks) % 2 ** 32, marker, payload };
  }

  /** What is sent now was taken at this time. */
  taken(ticks: number, atMs: number): void {
    this.#last = { timestamp: (this.#firstTimestamp + ticks) % 2 ** 32, atMs };
  }

  /** Returns how many bytes have left. */
  send(packet: PlacedPacket): number {
    const { number, payload } = packet;
    const nowMs = this.#options.nowMs();
    const sequenceNumber = number & 0xffff;
    const place = { ssrc: this.ssrc, sequenceNumber, rollover: Math.floor(number / 65_536) };
    const datagram = this.#options.transmit(writeRtpHeader(this.#header(packet, nowMs)), payload, place);
    if (!datagram) return 0;
    const bytes = payloadBytes(payload);
    this.packets += 1;
    this.payloadBytes += bytes;
    this.#newPackets += 1;
    this.#newBytes += bytes;
    if (this.kind === 'audio') return datagram.length;
    if (this.#rtx) this.#placed.put(sequenceNumber, packet, nowMs);
    else this.#sent.put(sequenceNumber, { datagram: Buffer.from(datagram), bytes }, nowMs);
    return datagram.length;
  }

  #header({ number, timestamp, marker }: PlacedPacket, nowMs: number): OutgoingHeader {
    const { ssrc, payloadType, absSendTimeId, transportNumberId } = this.#options;
    const sequenceNumber = number & 0xffff;
    const extension = { absSendTimeId, transportNumberId };
    return { ssrc, payloadType, marker, padding: false, sequenceNumber, timestamp, ...extension, nowMs };
  }

  /** Sends again what is still known of it. Returns how many bytes have left. */
  resend(sequenceNumber: number): number {
    const nowMs = this.#options.nowMs();
    const before = this.#againBytes;
    if (this.#rtx) {
      const packet = this.#placed.take(sequenceNumber, nowMs);
      const { head, body } = packet?.payload ?? {};
      if (packet && head && body) this.#rtx.sendAgain(this.#header(packet, nowMs), Buffer.concat([head, body]), nowMs);
    } else {
      const sent = this.#sent.take(sequenceNumber, nowMs);
      if (sent) this.#options.send(sent.datagram);
      this.#again(sent?.bytes ?? 0, sent?.datagram);
    }
    return this.#againBytes - before;
  }

  #again(bytes: number, datagram: Buffer | undefined): void {
    if (!datagram) return;
    this.packets += 1;
    this.resentPackets += 1;
    this.payloadBytes += bytes;
    this.#againBytes += datagram.length;
  }

  get isResentApart(): boolean {
    return this.#rtx !== undefined;
  }

  noteReport(report: ReportBlock, nowMs: number): void {
    const trip = roundTripOf(report, nowMs);
    this.remote = {
      atMs: nowMs,
      packetsLost: report.cumulativeLost,
      jitterSeconds: report.jitter / this.#options.clockRate,
      roundTripMs: trip ?? this.remote?.roundTripMs,
      roundTrips: (this.remote?.roundTrips ?? 0) + (trip === undefined ? 0 : 1),
    };
  }

  /** `undefined` before anything was sent. */
  senderReport(nowMs: number): SenderReport | undefined {
    const last = this.#last;
    if (!last || this.#newPackets === 0) return undefined;
    const ticks = Math.round(((nowMs - last.atMs) * this.#options.clockRate) / 1000);
    return {
      ssrc: this.ssrc,
      ...toNtp(nowMs),
      rtpTimestamp: (last.timestamp + ticks) % 2 ** 32,
      packets: this.#newPackets,
      octets: this.#newBytes,
    };
  }
}

/** RFC 3550, 6.4.1; as libwebrtc, what is above half of the circle is a negative one, and none is below a millisecond. */
function roundTripOf(report: ReportBlock, nowMs: number): number | undefined {
  if (report.lastSenderReport === 0) return undefined;
  const units = (middleOf(toNtp(nowMs)) - report.lastSenderReport - report.delaySinceLastSenderReport) >>> 0;
  return units > 2 ** 31 ? 1 : Math.max(1, (units / 65_536) * 1000);
}
