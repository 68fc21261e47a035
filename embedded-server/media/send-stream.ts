import type { MediaKind } from '../../model/scenario.js';
import { beginsKeyFrame } from '../../rtp/key-frames.js';
import { middleOf, toNtp } from '../../rtp/ntp.js';
import { type LeavingPacket, leavingPacket } from '../../rtp/outgoing-packet.js';
import type { ReportBlock, SenderReport } from '../../rtp/rtcp.js';
import type { HeaderExtensions, RtpPacket } from '../../rtp/rtp.js';
import type { MediaInput, MediaOutput, Shown } from './ports.js';
import type { Resending } from './resending.js';
import { SequenceRewriter } from './sequence.js';
import { SpatialChoice } from './spatial-choice.js';

/** Who asks for more than this while the line is full is left to a key frame. */
const owedMax = 200;

interface SendStreamOptions {
  readonly kind: MediaKind;
  readonly ssrc: number;
  readonly clockRate: number;
  /** Payload type by codec key, as the browser negotiated. */
  readonly payloadTypes: ReadonlyMap<string, number>;
  readonly extensions: HeaderExtensions;
  readonly maxKbps: () => number;
  readonly shown?: Shown;
  /** A fault on purpose: what is sent of a source need not begin with a key frame. */
  readonly keyless?: boolean;
  /** Encrypts and sends; returns `false` while the link is down. */
  readonly transmit: (packet: LeavingPacket) => boolean;
  readonly resending: Resending;
  /** False while new packets need the whole line: resending would push them out, to be asked for in turn. */
  readonly mayResend: () => boolean;
  /** Called once for each codec that the browser did not negotiate and therefore cannot be sent. */
  readonly onCodecRefused: (codec: string) => void;
}

/** What one browser receives of one kind: one SSRC, seamless whatever source feeds it. */
export class SendStream implements MediaInput {
  readonly kind: MediaKind;
  readonly ssrc: number;
  readonly #options: SendStreamOptions;
  readonly #rewriter: SequenceRewriter;
  readonly #leaving: LeavingPacket;
  readonly #spatial: SpatialChoice;
  readonly #refused = new Set<string>();
  /** Sequence numbers that were asked for while the line had no room. */
  readonly #owed = new Set<number>();
  #source: MediaOutput | undefined;
  #sourceSsrc = -1;
  /** Nothing of the present source was sent yet. */
  #begins = true;
  #sentPackets = 0;
  #sentOctets = 0;
  lastPacketAtMs: number | undefined;
  nacksReceived = 0;
  keyFrameRequests = 0;
  /** From the browser's receiver reports. */
  roundTripMs = 0;
  packetsLost = 0;
  fractionLost = 0;
  estimateBps = 0;

  constructor(options: SendStreamOptions) {
    this.kind = options.kind;
    this.ssrc = options.ssrc;
    this.#options = options;
    this.#spatial = new SpatialChoice(options.shown);
    this.#leaving = leavingPacket(options.ssrc, options.extensions);
    this.#rewriter = new SequenceRewriter(options.clockRate, Math.floor(Math.random() * 16_384));
  }

  get shown(): Shown | undefined {
    return this.#options.shown;
  }

  get maxKbps(): number {
    return this.#options.maxKbps();
  }

  get packets(): number {
    return this.#sentPackets;
  }

  get octets(): number {
    return this.#sentOctets;
  }

  receive(packet: RtpPacket, codec: string, from: MediaOutput, nowMs: number): void {
    const { transmit, payloadTypes, resending, keyless = false } = this.#options;
    const payloadType = payloadTypes.get(codec);
    if (payloadType === undefined) {
      this.#refuse(codec);
      return;
    }
    this.#noteSource(packet, from);
    const rewriter = this.#rewriter;
    const part = this.#spatial.partOf(packet.payload, codec, from);
    if (part === 'left-out') {
      rewriter.leaveOut(packet.sequenceNumber);
      return;
    }
    if (this.#begins) {
      // What comes before the first key frame is of no use to the browser.
      if (this.kind === 'video' && !keyless && beginsKeyFrame(codec, packet.payload) === false) return;
      rewriter.changeSource();
    }
    if (!rewriter.rewrite(packet.sequenceNumber, packet.timestamp, nowMs)) return;
    const leaving = this.#leaving;
    const { header } = leaving;
    header.payloadType = payloadType;
    header.marker = packet.marker || part === 'end-of-picture';
    header.padding = packet.padding;
    header.sequenceNumber = rewriter.sequenceNumber;
    header.timestamp = rewriter.timestamp;
    header.nowMs = nowMs;
    leaving.rollover = rewriter.rollover;
    leaving.body = packet.payload;
    if (!transmit(leaving)) return;
    this.#begins = false;
    this.#sentPackets += 1;
    this.#sentOctets += packet.payload.length;
    this.lastPacketAtMs = nowMs;
    if (this.kind !== 'video') return;
    resending.keep(leaving);
    if (this.#owed.size > 0) this.#resendOwed(nowMs);
  }

  #noteSource({ ssrc, sequenceNumber }: RtpPacket, from: MediaOutput): void {
    if (this.#source === from && this.#sourceSsrc === ssrc && !this.#rewriter.jumps(sequenceNumber)) return;
    this.#source = from;
    this.#sourceSsrc = ssrc;
    this.#begins = true;
    this.#rewriter.changeSource();
  }

  #refuse(codec: string): void {
    if (this.#refused.has(codec)) return;
    this.#refused.add(codec);
    this.#options.onCodecRefused(codec);
  }

  /** Sends again what is still known of the packets asked for. */
  resend(sequenceNumbers: readonly number[], nowMs: number): void {
    this.nacksReceived += 1;
    for (const sequenceNumber of sequenceNumbers) this.#owed.add(sequenceNumber);
    this.#resendOwed(nowMs);
  }

  /** As far as the line has room; the others when the next packet has left, and while they are known. */
  #resendOwed(nowMs: number): void {
    for (const sequenceNumber of this.#owed) {
      const may = this.#options.mayResend();
      if (!may && this.#owed.size <= owedMax) return;
      this.#owed.delete(sequenceNumber);
      if (may) this.#options.resending.resend(sequenceNumber, nowMs);
    }
  }

  requestKeyFrame(): void {
    this.keyFrameRequests += 1;
    this.#source?.requestKeyFrame();
  }

  noteReport(report: ReportBlock, nowMs: number): void {
    this.packetsLost = report.cumulativeLost;
    this.fractionLost = report.fractionLost;
    if (report.lastSenderReport === 0) return;
    const elapsed = (middleOf(toNtp(nowMs)) - report.lastSenderReport - report.delaySinceLastSenderReport) | 0;
    if (elapsed >= 0) this.roundTripMs = (elapsed / 65_536) * 1000;
  }

  /**
   * The sender report for now: the server's own NTP clock, so that round trips can be computed from the answer, and
   * the RTP timestamp of that instant on the outgoing line. `undefined` until the source's own reports allow it.
   */
  senderReport(nowMs: number): SenderReport | undefined {
    const timestamp = this.#sentPackets === 0 ? undefined : this.#source?.timestampAt(nowMs);
    if (timestamp === undefined) return undefined;
    return {
      ssrc: this.ssrc,
      ...toNtp(nowMs),
      rtpTimestamp: this.#rewriter.mapTimestamp(timestamp),
      packets: this.#sentPackets,
      octets: this.#sentOctets,
    };
  }
}
