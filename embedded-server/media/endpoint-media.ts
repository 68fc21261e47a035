import { randomBytes } from 'node:crypto';
import type { MediaKind } from '../../model/scenario.js';
import type { Imitation } from '../imitation.js';
import type { AcceptedMedia } from './answer.js';
import { ClockOffset } from './clock-offset.js';
import { codecKey } from './codec-key.js';
import type { Clock } from './egress.js';
import { type Flow, Flows } from './flows.js';
import { IncomingTrack } from './incoming-track.js';
import type { Link } from './link.js';
import type { MediaInput, MediaOutput } from './ports.js';
import { Receivable } from './receivable.js';
import { Reports, tickMs } from './reports.js';
import { resendingOf } from './resending.js';
import {
  type ReportBlock,
  type RtcpMessage,
  readRtcp,
  writeNack,
  writePictureLossIndication,
  writeReceiverReport,
} from './rtcp.js';
import { readRtp } from './rtp.js';
import { SendStream } from './send-stream.js';
import { VideoCap } from './video-cap.js';

export interface EndpointMediaOptions {
  readonly clock: Clock;
  readonly link: Link;
  readonly cname: string;
  readonly followEstimates: boolean;
  readonly imitation: Imitation;
  readonly maxVideoRecvKbps: () => number;
  readonly maxVideoSendKbps: () => number;
  /** However slow links are estimated to be, senders are not told less, kbit/s. */
  readonly minVideoKbps: () => number;
  readonly onFlow: (flow: Flow, kind: MediaKind, flowing: boolean) => void;
  /** First RTCP of the browser. */
  readonly onRtcp: () => void;
  readonly onCodecRefused: (kind: MediaKind, codec: string) => void;
}

/**
 * The RTP session of one endpoint: what the browser sends, what it receives, and the RTCP for both.
 *
 * Senders are told by REMB, once a second, to stay under the smallest of the caps: the endpoint's own receive cap and
 * the send caps of the endpoints that its video goes to. What receivers estimate is passed on only when that is asked for
 * (`followEstimates`, for slow links of single participants, as a Kurento does): it would lower the senders until everything
 * fits, and a server with a known limit would no longer have a known limit.
 */
export class EndpointMedia {
  readonly ssrcs: Readonly<Record<MediaKind, number>>;
  /** Of the packets of the video that are resent, where RTX was negotiated. */
  readonly rtxSsrc = randomBytes(4).readUInt32BE();
  readonly #options: EndpointMediaOptions;
  readonly #clockOffset = new ClockOffset();
  readonly #tracks: Readonly<Record<MediaKind, IncomingTrack>>;
  readonly #sends = new Map<MediaKind, SendStream>();
  readonly #receivable = new Receivable();
  readonly #flows: Flows;
  readonly #reports: Reports;
  readonly #videoCap: VideoCap;
  #timer: ReturnType<typeof setInterval> | undefined;
  #rtcpSeen = false;

  constructor(options: EndpointMediaOptions) {
    this.#options = options;
    this.#flows = new Flows(options.onFlow);
    this.ssrcs = { audio: randomBytes(4).readUInt32BE(), video: randomBytes(4).readUInt32BE() };
    this.#tracks = { audio: this.#newTrack('audio', 48_000), video: this.#newTrack('video', 90_000) };
    this.#videoCap = new VideoCap({ ...options, track: this.#tracks.video });
    this.#reports = new Reports({
      ...options,
      ssrcs: this.ssrcs,
      tracks: Object.values(this.#tracks),
      sends: () => [...this.#sends.values()],
      videoCapBps: () => this.videoCapBps(),
    });
  }

  #newTrack(kind: MediaKind, clockRate: number): IncomingTrack {
    const { clock, link } = this.#options;
    const own = this.ssrcs[kind];
    return new IncomingTrack({
      kind,
      clockRate,
      clock,
      clockOffset: this.#clockOffset,
      // As its reports on what it receives imply it; a browser that receives nothing tells none.
      roundTripMs: () => [...this.#sends.values()].find((send) => send.roundTripMs > 0)?.roundTripMs,
      sendNack: (media, numbers) => link.sendRtcp(withReceiverReport(own, writeNack(own, media, numbers))),
      sendKeyFrameRequest: (media) => link.sendRtcp(withReceiverReport(own, writePictureLossIndication(own, media))),
    });
  }

  /** What the browser sends, as a source for others. */
  output(kind: MediaKind): MediaOutput {
    return this.#tracks[kind];
  }

  /** What the browser receives; `undefined` when it negotiated none of this kind. */
  input(kind: MediaKind): MediaInput | undefined {
    return this.#sends.get(kind);
  }

  track(kind: MediaKind): IncomingTrack {
    return this.#tracks[kind];
  }

  send(kind: MediaKind): SendStream | undefined {
    return this.#sends.get(kind);
  }

  /** To be called once, with what the answer says. */
  negotiate(accepted: readonly AcceptedMedia[]): void {
    for (const media of accepted) {
      if (media.direction === 'sendrecv' || media.direction === 'recvonly') this.#receivable.add(media);
      if (media.direction === 'sendrecv' || media.direction === 'sendonly') this.#addSend(media);
    }
  }

  #addSend(media: AcceptedMedia): void {
    const { link, maxVideoSendKbps, onCodecRefused } = this.#options;
    const payloadTypes = new Map<string, number>();
    // The first payload type of a codec wins: the offer lists the preferred one first.
    for (const codec of [...media.codecs].reverse()) payloadTypes.set(codecKey(codec), codec.payloadType);
    this.#sends.set(
      media.kind,
      new SendStream({
        kind: media.kind,
        ssrc: this.ssrcs[media.kind],
        clockRate: media.kind === 'video' ? 90_000 : 48_000,
        payloadTypes,
        absSendTimeId: media.absSendTimeId,
        maxKbps: media.kind === 'video' ? maxVideoSendKbps : () => 0,
        transmit: (header, payload, ssrc, number, rollover) => {
          const datagram = link.sendRtp(header, payload, ssrc, number, rollover);
          if (datagram !== undefined) this.#flows.note('in', media.kind);
          return datagram;
        },
        resending: resendingOf(media.repairs, this.rtxSsrc, link),
        mayResend: () => !link.crowded,
        onCodecRefused: (codec) => onCodecRefused(media.kind, codec),
      }),
    );
  }

  /** To be called when the link is up. */
  start(): void {
    this.#timer = setInterval(() => this.#eachSecond(), tickMs);
    for (const send of this.#sends.values()) send.requestKeyFrame();
  }

  onRtp(datagram: Buffer): void {
    const nowMs = this.#options.clock.nowMs();
    const packet = readRtp(datagram);
    const received = packet && this.#receivable.read(packet, (kind) => this.#tracks[kind].stream?.ssrc);
    if (received === undefined) return;
    const track = this.#tracks[received.kind];
    if (received.resent) {
      track.recover(received.packet, received.codec, datagram.length, nowMs);
      return;
    }
    this.#flows.note('out', received.kind);
    if (received.kind === 'video') this.#videoCap.note(received.packet.timestamp, nowMs, this.#options.clock.lagMs?.());
    track.receive(received.packet, received.codec, datagram.length, nowMs);
  }

  onRtcp(compound: Buffer): void {
    const nowMs = this.#options.clock.nowMs();
    if (!this.#rtcpSeen) {
      this.#rtcpSeen = true;
      this.#options.onRtcp();
    }
    for (const message of readRtcp(compound)) this.#handle(message, nowMs);
  }

  #handle(message: RtcpMessage, nowMs: number): void {
    switch (message.type) {
      case 'sender-report':
        for (const track of Object.values(this.#tracks)) {
          if (track.stream?.ssrc === message.ssrc) track.noteSenderReport(message, nowMs);
        }
        this.#noteReports(message.reports, nowMs);
        return;
      case 'receiver-report':
        this.#noteReports(message.reports, nowMs);
        return;
      case 'nack':
        this.#sendOf(message.mediaSsrc)?.resend(message.sequenceNumbers, nowMs);
        return;
      case 'key-frame-request':
        this.#sendOf(message.mediaSsrc)?.requestKeyFrame();
        return;
      case 'remb':
        for (const ssrc of message.ssrcs) {
          const send = this.#sendOf(ssrc);
          if (send !== undefined) send.estimateBps = message.bitrateBps;
        }
        return;
      case 'bye':
        return;
    }
  }

  #noteReports(reports: readonly ReportBlock[], nowMs: number): void {
    for (const report of reports) this.#sendOf(report.ssrc)?.noteReport(report, nowMs);
  }

  #sendOf(ssrc: number): SendStream | undefined {
    for (const send of this.#sends.values()) if (send.ssrc === ssrc) return send;
    return undefined;
  }

  #eachSecond(): void {
    const nowMs = this.#options.clock.nowMs();
    this.#watchFlows(nowMs);
    this.#videoCap.eachSecond();
    const compound = this.#reports.tick(nowMs);
    if (compound !== undefined) this.#options.link.sendRtcp(compound);
  }

  /** What the sender of this endpoint's video may send, bit/s. */
  videoCapBps(): number {
    return this.#videoCap.bps;
  }

  flowing(flow: Flow, kind: MediaKind): boolean {
    return this.#flows.flowing(flow, kind);
  }

  #watchFlows(nowMs: number): void {
    for (const kind of ['audio', 'video'] as const) {
      this.#flows.watch('out', kind, this.#tracks[kind].lastPacketAtMs, nowMs);
      this.#flows.watch('in', kind, this.#sends.get(kind)?.lastPacketAtMs, nowMs);
    }
  }

  close(): void {
    clearInterval(this.#timer);
    for (const track of Object.values(this.#tracks)) track.close();
  }
}

/** Feedback travels behind a report: compound packets are what was negotiated (RFC 3550 6.1). */
function withReceiverReport(ssrc: number, feedback: Buffer): Buffer {
  return Buffer.concat([writeReceiverReport(ssrc, []), feedback]);
}
