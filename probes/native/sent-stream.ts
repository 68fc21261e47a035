import { randomInt } from 'node:crypto';
import type { MediaKind } from '../../model/scenario.js';
import type { Writable } from '../../model/writable.js';
import { toNtp } from '../../rtp/ntp.js';
import {
  type LeavingPacket,
  leavingPacket,
  noBytes,
  type OutgoingPacket,
  packetBytes,
  payloadBytesOf,
  payloadOf,
} from '../../rtp/outgoing-packet.js';
import type { ReportBlock, SenderReport } from '../../rtp/rtcp.js';
import { rtxPayload } from '../../rtp/rtx.js';
import type { Marking } from '../page/frame-mark.js';
import type { FramePackets } from './frame-packets.js';
import { type PlacedPacket, PlacedPackets } from './placed-packets.js';
import { type RemoteReport, remoteReport } from './remote-report.js';
import { StreamMarks } from './stream-marks.js';

/** As libwebrtc: a packet that was resent is not resent once more before a round trip and so much. */
const resentGraceMs = 5;

/** Encrypts and sends; returns bytes sent, 0 while the link is down. The next packet overwrites this one. */
export type Transmit = (packet: OutgoingPacket) => number;

interface SentStreamOptions {
  readonly kind: MediaKind;
  readonly ssrc: number;
  readonly payloadType: number;
  readonly clockRate: number;
  /** Bytes of each packet before its body. */
  readonly headBytes: number;
  /** The stream for resending; absent: what is asked for is sent again on the stream itself. */
  readonly resent?: ResentStream;
  /** Of a layer: its rid, and the elements of headers that say whose its packets are. */
  readonly layer?: { readonly rid: string; readonly names: Uint8Array } | undefined;
  readonly absSendTimeId: number | undefined;
  readonly transportNumberId: number | undefined;
  /** Next transport-wide number, for a packet of so many bytes that leaves now; only where there is a place for it. */
  readonly transportNumber: (bytes: number) => number;
  readonly nowMs: () => number;
  readonly transmit: Transmit;
  /** Absent: nothing that is sent has marks. */
  readonly marking?: Marking | undefined;
  /** Of video. */
  readonly markAt?: FramePackets['markAt'] | undefined;
}

interface ResentStream {
  readonly ssrc: number;
  readonly payloadType: number;
  /** Elements of headers that say of which layer it is. */
  readonly names?: Uint8Array | undefined;
}

/** One SSRC that a native probe sends, with its getStats (webrtc-stats `outbound-rtp`, `remote-inbound-rtp`). */
export class SentStream {
  readonly kind: MediaKind;
  readonly ssrc: number;
  /** Of its entries in a report of webrtc-stats. */
  readonly entryId: string;
  readonly remoteEntryId: string;
  readonly #options: SentStreamOptions;
  /** Of sound none waits, and none is sent again. */
  readonly #placed: PlacedPackets | undefined;
  readonly #outgoing: LeavingPacket;
  readonly #marks: StreamMarks | undefined;
  readonly #leaving: Writable<PlacedPacket> = { number: 0, timestamp: 0, marker: false, head: 0, body: noBytes };
  /** Below 32768: what comes late at the other end must not seem to be of a round before the first. */
  #next = randomInt(1, 16_384);
  #nextResent = randomInt(1, 16_384);
  readonly #firstTimestamp = randomInt(2 ** 32);
  /** What was taken last, and when. */
  #lastTimestamp = 0;
  #lastAtMs = 0;
  /** Of new packets alone, as sender reports have it (RFC 3550, 6.4.1). */
  #newPackets = 0;
  #newBytes = 0;
  packets = 0;
  payloadBytes = 0;
  resentPackets = 0;
  nacks = 0;
  plis = 0;
  remote: RemoteReport | undefined;

  constructor(options: SentStreamOptions) {
    const { kind, ssrc, absSendTimeId, transportNumberId, headBytes } = options;
    this.kind = kind;
    this.ssrc = ssrc;
    this.entryId = `outbound-${kind}-${ssrc}`;
    this.remoteEntryId = `remote-${kind}-${ssrc}`;
    this.#options = options;
    if (options.marking) this.#marks = new StreamMarks(kind, options.marking);
    if (kind === 'video') this.#placed = new PlacedPackets(this.#next);
    this.#outgoing = leavingPacket(ssrc, { absSendTimeId, transportNumberId });
    this.#outgoing.headBytes = headBytes;
  }

  /** What is sent now was taken at this time, so many ticks of the clock after the stream began. */
  taken(ticks: number, atMs: number): void {
    this.#lastTimestamp = this.#timestamp(ticks);
    this.#lastAtMs = atMs;
  }

  /** When the frame with this timestamp was taken. */
  #takenAtMs(timestamp: number): number {
    return this.#lastAtMs - (1000 * ((this.#lastTimestamp - timestamp) | 0)) / this.#options.clockRate;
  }

  #timestamp(ticks: number): number {
    return (this.#firstTimestamp + ticks) % 2 ** 32;
  }

  /** Whether so many packets of pictures can wait. */
  hasRoom(packets: number): boolean {
    return this.#placed?.hasRoom(packets) ?? true;
  }

  get waitingBytes(): number {
    return this.#placed?.waitingBytes ?? 0;
  }

  /** A packet of a picture, which waits until it is sent. */
  place(head: number, body: Uint8Array, marker: boolean, ticks: number): void {
    this.#placed?.place(head, body, marker, this.#timestamp(ticks));
  }

  /** Sends the next one that waits. Returns how many bytes have left. */
  readonly sendNext = (): number => {
    const nowMs = this.#options.nowMs();
    return this.#placed?.leave(nowMs, this.#leaving) ? this.#send(this.#leaving, nowMs) : 0;
  };

  /** Sends a packet of sound, with a mark behind it or without. */
  sendSound(body: Uint8Array, marker: boolean, ticks: number, hasTail: boolean): void {
    const one = this.#leaving;
    one.number = this.#next;
    one.timestamp = this.#timestamp(ticks);
    one.marker = marker;
    one.body = body;
    this.#next += 1;
    this.#send(one, this.#options.nowMs(), hasTail ? body.length : -1);
  }

  #send(packet: PlacedPacket, nowMs: number, markAt?: number): number {
    const outgoing = this.#described(packet, nowMs, markAt);
    const sentBytes = this.#transmit(outgoing);
    if (sentBytes === 0) return 0;
    const bytes = payloadBytesOf(outgoing);
    this.packets += 1;
    this.payloadBytes += bytes;
    this.#newPackets += 1;
    this.#newBytes += bytes;
    return sentBytes;
  }

  #described(packet: PlacedPacket, nowMs: number, ownMarkAt?: number): LeavingPacket {
    const { number, timestamp, marker, head, body } = packet;
    const markAt = ownMarkAt ?? this.#options.markAt?.(body, marker) ?? -1;
    const outgoing = this.#outgoing;
    const { header } = outgoing;
    header.ssrc = this.ssrc;
    header.payloadType = this.#options.payloadType;
    header.marker = marker;
    header.sequenceNumber = number & 0xffff;
    header.timestamp = timestamp;
    header.nowMs = nowMs;
    // As libwebrtc: from the first report on its SSRC on, the other end knows whose it is.
    header.names = this.remote ? undefined : this.#options.layer?.names;
    outgoing.rollover = Math.floor(number / 65_536);
    outgoing.head = head;
    outgoing.headBytes = this.#options.headBytes;
    outgoing.body = body;
    outgoing.tail = noBytes;
    if (markAt >= 0) this.#marks?.put(outgoing, markAt, this.#takenAtMs(timestamp), this.payloadBytes);
    return outgoing;
  }

  #transmit(outgoing: LeavingPacket): number {
    const { transportNumberId, transportNumber, transmit } = this.#options;
    if (transportNumberId !== undefined) outgoing.header.transportNumber = transportNumber(packetBytes(outgoing));
    return transmit(outgoing);
  }

  /** Sends again what is still known of it. Returns how many bytes have left. */
  resend(sequenceNumber: number): number {
    const nowMs = this.#options.nowMs();
    const againAfterMs = (this.remote?.roundTripMs ?? 0) + resentGraceMs;
    const packet = this.#placed?.again(sequenceNumber, nowMs, againAfterMs);
    if (!packet) return 0;
    const { resent } = this.#options;
    const outgoing = this.#described(packet, nowMs);
    if (resent) this.#asRtx(outgoing, resent);
    const sentBytes = this.#transmit(outgoing);
    if (sentBytes === 0) return 0;
    this.packets += 1;
    this.resentPackets += 1;
    this.payloadBytes += payloadBytesOf(outgoing);
    return sentBytes;
  }

  /** On its own stream with a new number; time is the frame's, the old number precedes the payload (RFC 4588, 4). */
  #asRtx(outgoing: LeavingPacket, { ssrc, payloadType, names }: ResentStream): void {
    const { header } = outgoing;
    const number = this.#nextResent;
    this.#nextResent += 1;
    outgoing.body = rtxPayload(header.sequenceNumber, payloadOf(outgoing));
    outgoing.headBytes = 0;
    outgoing.tail = noBytes;
    outgoing.rollover = Math.floor(number / 65_536);
    header.ssrc = ssrc;
    header.payloadType = payloadType;
    header.sequenceNumber = number & 0xffff;
    header.names = names;
  }

  /** Of its layer (RFC 8851); absent: it is the one video, or sound. */
  get rid(): string | undefined {
    return this.#options.layer?.rid;
  }

  get isResentApart(): boolean {
    return this.#options.resent !== undefined;
  }

  noteReport(report: ReportBlock, nowMs: number): void {
    this.remote = remoteReport(report, this.#options.clockRate, nowMs, this.remote);
  }

  /** `undefined` before anything was sent. */
  senderReport(nowMs: number): SenderReport | undefined {
    if (this.#newPackets === 0) return undefined;
    const ticks = Math.round(((nowMs - this.#lastAtMs) * this.#options.clockRate) / 1000);
    return {
      ssrc: this.ssrc,
      ...toNtp(nowMs),
      rtpTimestamp: (this.#lastTimestamp + ticks) % 2 ** 32,
      packets: this.#newPackets,
      octets: this.#newBytes,
    };
  }
}
