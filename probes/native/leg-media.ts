import type { MediaKind } from '../../model/scenario.js';
import { ArrivalTimes } from '../../rtp/arrival-times.js';
import { startBeat } from '../../rtp/beat.js';
import type { Clock } from '../../rtp/egress.js';
import { middleOf } from '../../rtp/ntp.js';
import { ReceivedRate } from '../../rtp/received-rate.js';
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
import type { LegMarks } from './leg-marks.js';
import { ReceivedPacket } from './received-packet.js';
import { type AgreedSection, type ReceivedSection, ReceivedSections } from './received-sections.js';
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
  /** Those in which the server sends. */
  readonly sections: readonly AgreedSection[];
  readonly reducedSize: boolean;
  readonly roundTripMs: () => number | undefined;
  /** How long what comes now may have waited for this process; absent where it is known when it came. */
  readonly lagMs?: (() => number) | undefined;
  readonly sendRtcp: (compound: Buffer) => void;
  readonly marks?: LegMarks | undefined;
  /** To be told when packets are missing. */
  readonly onMissing?: (() => void) | undefined;
}

interface Format {
  readonly kind: MediaKind;
  readonly codec: string;
  readonly clockRate: number;
}

/** The RTP session of one leg as far as it receives: its streams, and what it says of them by RTCP. */
export class LegMedia {
  readonly #options: LegMediaOptions;
  #formats = new Map<number, Format>();
  #repairs = new Map<number, number>();
  readonly #sections = new ReceivedSections();
  readonly #arrivalTimes = new ArrivalTimes();
  #numberId: number | undefined;
  #takesRemb = false;
  #isUp = false;
  readonly #packet = new ReceivedPacket();
  #ticks = 0;
  readonly #rate = new ReceivedRate<ReceivedStream>();
  #grantedBps: number | undefined;
  #endGrants: (() => void) | undefined;

  constructor(options: LegMediaOptions) {
    this.#options = options;
    this.agree(options.sections);
  }

  /** What a further description says: of a section that goes on, nothing that came is forgotten. */
  agree(sections: readonly AgreedSection[]): void {
    this.#sections.agree(sections);
    this.#formats = new Map(
      sections.flatMap(({ kind, codecs }) =>
        [...codecs].map(([type, { name, clockRate }]) => [type, { kind, codec: name, clockRate }] as const),
      ),
    );
    this.#repairs = new Map(sections.flatMap(({ repairs }) => [...repairs]));
    this.#numberId = sections.find(({ transportNumberId }) => transportNumberId !== undefined)?.transportNumberId;
    this.#takesRemb = this.#numberId === undefined && sections.some(({ takesRemb }) => takesRemb);
    this.#startGrants();
  }

  /** To be called when the connection is up. */
  start(): void {
    this.#isUp = true;
    this.#startGrants();
  }

  #startGrants(): void {
    if (this.#takesRemb && this.#isUp)
      this.#endGrants ??= startBeat(this.#options.clock, grantEveryMs, () => this.#grant());
  }

  get streams(): readonly ReceivedStream[] {
    return this.#sections.all.flatMap(({ received }) => received ?? []);
  }

  /** Of sound all or nothing: its packets say all in their headers, but for marks. */
  readBytes(payloadType: number): number {
    if (this.#formats.get(payloadType)?.kind === 'audio') return this.#options.marks?.soundBytes ?? 0;
    return decipheredBytes(this.#formats.get(this.#repairs.get(payloadType) ?? payloadType)?.codec);
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
    const section = this.#sections.of(packet);
    if (!section) return;
    const repaired = this.#repairs.get(packet.payloadType);
    if (repaired !== undefined) recover(section, packet, repaired, nowMs);
    else this.#receive(section, packet, nowMs);
  }

  #receive(section: ReceivedSection, packet: ReceivedPacket, nowMs: number): void {
    const format = this.#formats.get(packet.payloadType);
    if (format?.kind !== section.kind) return;
    const known = section.received;
    const received =
      known?.counts.ssrc === packet.ssrc ? known : section.begin(this.#streamOf(section, format, packet.ssrc));
    if (this.#takesRemb && format.kind === 'video' && (this.#options.lagMs?.() ?? 0) <= ownLagMostMs)
      section.way.note(packet.timestamp, nowMs);
    received.receive(packet, nowMs);
  }

  #streamOf({ mid, agreed }: ReceivedSection, format: Format, ssrc: number): ReceivedStream {
    const { clock, roundTripMs } = this.#options;
    return new ReceivedStream({
      ...{ mid, ssrc, clock, roundTripMs },
      ...format,
      soundMs: () => this.#sections.soundOf(agreed.stream)?.keptMs ?? 0,
      sendNack: (numbers) => {
        this.#options.onMissing?.();
        this.#feedback(writeNack(this.#options.ssrc, ssrc, numbers));
      },
      sendKeyFrameRequest: () => this.#askForKeyFrame(ssrc),
      ...this.#options.marks?.begin(format.kind, agreed.stream),
    });
  }

  #noteArrival(datagram: Buffer, id: number, nowMs: number): void {
    const number = readTransportNumber(datagram, id);
    if (number === undefined || !this.#arrivalTimes.note(number, nowMs)) return;
    for (const message of this.#arrivalTimes.take(this.#options.ssrc, datagram.readUInt32BE(8), nowMs))
      this.#feedback(message);
  }

  onMessage(message: RtcpMessage, nowMs: number): void {
    if (message.type !== 'sender-report') return;
    for (const { counts } of this.streams) {
      if (counts.ssrc === message.ssrc) counts.noteSenderReport(middleOf(message), nowMs);
    }
  }

  /** To be called each second, with the sender reports that are due. As in browsers, each stream has its own. */
  tick(sent: readonly SenderReport[]): void {
    const nowMs = this.#options.clock.nowMs();
    this.#ticks += 1;
    const due = this.streams.filter(({ kind }) => kind === 'video' || this.#ticks % audioReportTicks === 0);
    const [block, ...further] = due.map(({ counts }) => counts.report(nowMs));
    this.#measureGranted(nowMs);
    if (!block && sent.length === 0) return;
    const blocks = block ? [block] : [];
    const [first, ...others] = sent;
    const { cname, sendRtcp } = this.#options;
    const own = first?.ssrc ?? this.#options.ssrc;
    sendRtcp(
      Buffer.concat([
        first ? writeSenderReport(first, blocks) : writeReceiverReport(own, blocks),
        ...others.map((report) => writeSenderReport(report, [])),
        writeSourceDescription([own, ...others.map(({ ssrc }) => ssrc)], cname),
      ]),
    );
    for (const one of further)
      sendRtcp(Buffer.concat([writeReceiverReport(own, [one]), writeSourceDescription([own], cname)]));
  }

  get #pictures(): readonly { readonly section: ReceivedSection; readonly received: ReceivedStream }[] {
    return this.#sections.all.flatMap((section) =>
      section.kind === 'video' && section.received ? [{ section, received: section.received }] : [],
    );
  }

  /** What may be sent here, where the sender is told no arrival times: all pictures come by the same way. */
  #measureGranted(nowMs: number): void {
    const pictures = this.#takesRemb ? this.#pictures : [];
    const bytesOf = ({ counts, resentBytes }: ReceivedStream) => counts.payloadBytes + resentBytes;
    const bytes = pictures.map(({ received }) => [received, bytesOf(received)] as const);
    const rate = this.#rate.since(nowMs, bytes);
    if (pictures.length === 0 || !rate) return;
    const carriedBps = Math.min(...pictures.map(({ section }) => section.way.after(rate.seconds, rate.bps)));
    this.#grantedBps = Math.min(carriedBps, grantedTimes * rate.bps + grantedBps);
  }

  #grant(): void {
    const ssrcs = this.#pictures.map(({ received }) => received.counts.ssrc);
    if (ssrcs.length > 0 && this.#grantedBps !== undefined)
      this.#feedback(writeRemb(this.#options.ssrc, this.#grantedBps, ...ssrcs));
  }

  /**
   * Behind a report on that stream, as browsers send it: by that Janus knows whose request it is, and drops one that
   * stands alone.
   */
  #askForKeyFrame(ssrc: number): void {
    const { clock } = this.#options;
    const own = this.streams.filter(({ counts }) => counts.ssrc === ssrc);
    const report = writeReceiverReport(
      this.#options.ssrc,
      own.map(({ counts }) => counts.report(clock.nowMs())),
    );
    this.#options.sendRtcp(Buffer.concat([report, writePictureLossIndication(this.#options.ssrc, ssrc)]));
  }

  #feedback(message: Buffer): void {
    const { reducedSize, sendRtcp } = this.#options;
    sendRtcp(reducedSize ? message : Buffer.concat([writeReceiverReport(this.#options.ssrc, []), message]));
  }

  close(): void {
    this.#endGrants?.();
    for (const stream of this.streams) stream.close();
  }
}

function recover(section: ReceivedSection, packet: RtpPacket, repaired: number, nowMs: number): void {
  const { received } = section;
  if (!received) return;
  const paddingBytes = packet.padding ? Math.min(packet.payload.length, packet.payload.at(-1) ?? 0) : 0;
  const original = originalOf(packet, received.counts.ssrc, repaired);
  received.recover(packet.payload.length - paddingBytes, original, nowMs);
}
