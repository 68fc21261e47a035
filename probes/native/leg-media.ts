import type { MediaKind } from '../../model/scenario.js';
import { ArrivalTimes } from '../../rtp/arrival-times.js';
import { startBeat } from '../../rtp/beat.js';
import type { Clock } from '../../rtp/egress.js';
import { middleOf } from '../../rtp/ntp.js';
import {
  type RtcpMessage,
  type SenderReport,
  writeNack,
  writePictureLossIndication,
  writeReceiverReport,
  writeRemb,
  writeSenderReport,
  writeSourceDescription,
} from '../../rtp/rtcp.js';
import { type RtpPacket, readTransportNumber } from '../../rtp/rtp.js';
import { originalOf } from '../../rtp/rtx.js';
import { WayEstimate } from '../../rtp/way-estimate.js';
import type { AgreedMedia } from './agreed-media.js';
import { ReceivedPacket } from './received-packet.js';
import { ReceivedStream } from './received-stream.js';
import { decipheredBytes } from './video-pieces.js';

/** As libwebrtc: a report of video each second, of sound each five. */
const audioReportTicks = 5;
/** As libwebrtc (RembThrottler): what is granted is said so often, however long it has been the same. */
const grantEveryMs = 200;
/** A receiver grants so much more than what comes, and no more (draft-ietf-rmcat-gcc-02, 5.5). */
const grantedTimes = 1.5;
const grantedBps = 10_000;
/** A packet that may have waited longer for this process says nothing of its way. */
const ownLagMostMs = 20;

interface LegMediaOptions {
  readonly clock: Clock;
  readonly cname: string;
  /** SSRC for our RTCP; the sent stream's if there is one. */
  readonly ssrc: number;
  readonly agreed: readonly AgreedMedia[];
  readonly reducedSize: boolean;
  readonly roundTripMs: () => number | undefined;
  /** How long what comes now may have waited for this process; absent where it is known when it came. */
  readonly lagMs?: (() => number) | undefined;
  readonly sendRtcp: (compound: Buffer) => void;
  /** To be told when packets are missing. */
  readonly onMissing?: (() => void) | undefined;
}

interface Format {
  readonly media: AgreedMedia;
  readonly codec: string;
  readonly clockRate: number;
}

/** The RTP session of one leg as far as it receives: its streams, and what it says of them by RTCP. */
export class LegMedia {
  readonly #options: LegMediaOptions;
  readonly #formats = new Map<number, Format>();
  readonly #repairs = new Map<number, number>();
  /** By kind; of a stream whose SSRC changed, the new one. */
  readonly #streams = new Map<MediaKind, ReceivedStream>();
  readonly #arrivalTimes = new ArrivalTimes();
  readonly #numberId: number | undefined;
  readonly #takesRemb: boolean;
  readonly #ssrc: number;
  readonly #way = new WayEstimate(90_000);
  readonly #packet = new ReceivedPacket();
  #ticks = 0;
  #bytesBefore = 0;
  #grantedBps: number | undefined;
  #endGrants: () => void = () => undefined;

  constructor(options: LegMediaOptions) {
    this.#options = options;
    this.#ssrc = options.ssrc;
    const agreed = options.agreed.filter(({ theySend }) => theySend);
    for (const media of agreed) {
      for (const [type, { name, clockRate }] of media.codecs)
        this.#formats.set(type, { media, codec: name, clockRate });
      for (const [type, repaired] of media.repairs) this.#repairs.set(type, repaired);
    }
    this.#numberId = agreed.find(({ transportNumberId }) => transportNumberId !== undefined)?.transportNumberId;
    this.#takesRemb = this.#numberId === undefined && agreed.some(({ takesRemb }) => takesRemb);
  }

  /** To be called when the connection is up. */
  start(): void {
    if (this.#takesRemb) this.#endGrants = startBeat(this.#options.clock, grantEveryMs, () => this.#grant());
  }

  get streams(): Iterable<ReceivedStream> {
    return this.#streams.values();
  }

  /** Of sound nothing is read: its packets say all in their headers. */
  readBytes(payloadType: number): number {
    return this.#formats.get(payloadType)?.media.kind === 'audio' ? 0 : decipheredBytes;
  }

  /** Whether what is sent again comes on an SSRC of its own. */
  get resentApart(): boolean {
    return this.#repairs.size > 0;
  }

  /** The packet ends there in the datagram. `nowMs`: when it came. */
  onRtp(datagram: Buffer, end: number, nowMs: number): void {
    if (this.#numberId !== undefined) this.#noteArrival(datagram, this.#numberId, nowMs);
    const packet = this.#packet;
    if (!packet.read(datagram, end)) return;
    const repaired = this.#repairs.get(packet.payloadType);
    if (repaired !== undefined) this.#recover(packet, repaired, nowMs);
    else this.#receive(packet, nowMs);
  }

  #receive(packet: ReceivedPacket, nowMs: number): void {
    const format = this.#formats.get(packet.payloadType);
    if (!format) return;
    const { kind } = format.media;
    if (this.#takesRemb && kind === 'video' && (this.#options.lagMs?.() ?? 0) <= ownLagMostMs)
      this.#way.note(packet.timestamp, nowMs);
    let stream = this.#streams.get(kind);
    if (stream?.counts.ssrc !== packet.ssrc) {
      stream?.close();
      stream = this.#streamOf(format, packet.ssrc);
      this.#streams.set(kind, stream);
    }
    stream.receive(packet, nowMs);
  }

  #recover(packet: RtpPacket, repaired: number, nowMs: number): void {
    const kind = this.#formats.get(repaired)?.media.kind;
    const stream = kind && this.#streams.get(kind);
    if (!stream) return;
    const paddingBytes = packet.padding ? Math.min(packet.payload.length, packet.payload.at(-1) ?? 0) : 0;
    const original = originalOf(packet, stream.counts.ssrc, repaired);
    stream.recover(packet.payload.length - paddingBytes, original, nowMs);
  }

  #streamOf({ media: { kind }, codec, clockRate }: Format, ssrc: number): ReceivedStream {
    const { clock, roundTripMs } = this.#options;
    return new ReceivedStream({
      kind,
      codec,
      clockRate,
      ssrc,
      clock,
      roundTripMs,
      sendNack: (numbers) => {
        this.#options.onMissing?.();
        this.#feedback(writeNack(this.#ssrc, ssrc, numbers));
      },
      sendKeyFrameRequest: () => this.#askForKeyFrame(ssrc),
    });
  }

  #noteArrival(datagram: Buffer, id: number, nowMs: number): void {
    const number = readTransportNumber(datagram, id);
    if (number === undefined || !this.#arrivalTimes.note(number, nowMs)) return;
    for (const message of this.#arrivalTimes.take(this.#ssrc, datagram.readUInt32BE(8), nowMs)) this.#feedback(message);
  }

  onMessage(message: RtcpMessage, nowMs: number): void {
    if (message.type !== 'sender-report') return;
    for (const { counts } of this.streams) {
      if (counts.ssrc === message.ssrc) counts.noteSenderReport(middleOf(message), nowMs);
    }
  }

  /** To be called each second, with the reports of what is sent that are due. */
  tick(sent: readonly SenderReport[]): void {
    const nowMs = this.#options.clock.nowMs();
    this.#ticks += 1;
    const due = [...this.streams].filter(({ kind }) => kind === 'video' || this.#ticks % audioReportTicks === 0);
    const blocks = due.map(({ counts }) => counts.report(nowMs));
    this.#measureGranted();
    if (blocks.length + sent.length === 0) return;
    const [first, ...others] = sent;
    const own = first?.ssrc ?? this.#ssrc;
    this.#options.sendRtcp(
      Buffer.concat([
        first ? writeSenderReport(first, blocks) : writeReceiverReport(own, blocks),
        ...others.map((report) => writeSenderReport(report, [])),
        writeSourceDescription([own, ...others.map(({ ssrc }) => ssrc)], this.#options.cname),
      ]),
    );
  }

  /** What may be sent here, where the sender is told no arrival times. */
  #measureGranted(): void {
    const video = this.#streams.get('video');
    if (!this.#takesRemb || !video) return;
    const bytes = video.counts.payloadBytes + video.resentBytes;
    const receivedBps = Math.max(0, bytes - this.#bytesBefore) * 8;
    this.#bytesBefore = bytes;
    this.#grantedBps = Math.min(this.#way.after(1, receivedBps), grantedTimes * receivedBps + grantedBps);
  }

  #grant(): void {
    const video = this.#streams.get('video');
    if (video && this.#grantedBps !== undefined)
      this.#feedback(writeRemb(this.#ssrc, this.#grantedBps, video.counts.ssrc));
  }

  /**
   * Behind a report on that stream, as browsers send it: by that Janus knows whose request it is, and drops one that
   * stands alone.
   */
  #askForKeyFrame(ssrc: number): void {
    const { clock } = this.#options;
    const own = [...this.streams].filter(({ counts }) => counts.ssrc === ssrc);
    const report = writeReceiverReport(
      this.#ssrc,
      own.map(({ counts }) => counts.report(clock.nowMs())),
    );
    this.#options.sendRtcp(Buffer.concat([report, writePictureLossIndication(this.#ssrc, ssrc)]));
  }

  #feedback(message: Buffer): void {
    const { reducedSize, sendRtcp } = this.#options;
    sendRtcp(reducedSize ? message : Buffer.concat([writeReceiverReport(this.#ssrc, []), message]));
  }

  close(): void {
    this.#endGrants();
    for (const stream of this.streams) stream.close();
  }
}
