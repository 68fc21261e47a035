import { randomBytes } from 'node:crypto';
import type { MediaKind } from '../../model/scenario.js';
import type { Clock } from '../../rtp/egress.js';
import type { Link } from '../../rtp/link.js';
import { type LeavingPacket, packetBytes } from '../../rtp/outgoing-packet.js';
import { writeNack, writePictureLossIndication } from '../../rtp/rtcp.js';
import { readRtp } from '../../rtp/rtp.js';
import type { Imitation } from '../imitation.js';
import { alteredBy } from './altered-media.js';
import type { AcceptedMedia } from './answer.js';
import { ClockOffset } from './clock-offset.js';
import { codecKey } from './codec-key.js';
import { type Flow, Flows } from './flows.js';
import { holdingOf } from './held-back.js';
import { IncomingTrack } from './incoming-track.js';
import { LayeredVideo } from './layered-video.js';
import type { Misled } from './misled-streams.js';
import { type MediaInput, type MediaOutput, Shown } from './ports.js';
import { Receivable } from './receivable.js';
import { Reports, tickMs, withReceiverReport } from './reports.js';
import { resendingOf } from './resending.js';
import { takeRtcp } from './rtcp-intake.js';
import { SendStream } from './send-stream.js';
import { TransportNumbers } from './transport-numbers.js';
import { VideoCap, type VideoCapOptions } from './video-cap.js';

interface EndpointMediaOptions extends Omit<VideoCapOptions, 'video'> {
  readonly clock: Clock;
  readonly link: Link;
  readonly cname: string;
  readonly imitation: Imitation;
  readonly misled: Misled;
  readonly onFlow: (flow: Flow, kind: MediaKind, flowing: boolean) => void;
  /** First RTCP of the browser. */
  readonly onRtcp: () => void;
  readonly onCodecRefused: (kind: MediaKind, codec: string) => void;
}

/**
 * The RTP session of one endpoint: what the browser sends, what it receives, and the RTCP for both.
 *
 * Senders are told by REMB, once a second, to stay under the smallest of the caps: the endpoint's own receive cap and
 * the send caps of the endpoints that its video goes to. What receivers estimate is passed on only when that is asked
 * for (`followEstimates`, for slow links of single participants, as a Kurento does): it would lower the senders until
 * everything fits, and a server with a known limit would no longer have a known limit.
 */
export class EndpointMedia {
  readonly ssrcs: Readonly<Record<MediaKind, number>>;
  /** Of the packets of the video that are resent, where RTX was negotiated. */
  readonly rtxSsrc = randomBytes(4).readUInt32BE();
  readonly #options: EndpointMediaOptions;
  readonly #clockOffset = new ClockOffset();
  readonly #tracks: Readonly<Record<MediaKind, IncomingTrack>>;
  /** In place of its video, where the browser sends layers. */
  #layers: LayeredVideo | undefined;
  /** Of the video that the browser receives. */
  readonly shown = new Shown();
  readonly #sends = new Map<MediaKind, SendStream>();
  readonly #receivable = new Receivable();
  readonly #flows: Flows;
  readonly #reports: Reports;
  readonly #videoCap: VideoCap;
  readonly #numbers: TransportNumbers;
  #timer: ReturnType<typeof setInterval> | undefined;
  #rtcpSeen = false;

  constructor(options: EndpointMediaOptions) {
    this.#options = options;
    this.#flows = new Flows(options.onFlow);
    this.ssrcs = { audio: randomBytes(4).readUInt32BE(), video: randomBytes(4).readUInt32BE() };
    const { link } = options;
    const own = this.ssrcs.video;
    this.#numbers = new TransportNumbers(own, (message) => link.sendRtcp(withReceiverReport(own, message)));
    this.#tracks = { audio: this.#newTrack('audio', 48_000), video: this.#newTrack('video', 90_000) };
    this.#videoCap = new VideoCap({ ...options, video: () => this.#layers ?? this.#tracks.video });
    this.#reports = new Reports({
      ...options,
      ssrcs: this.ssrcs,
      tracks: () => this.#allTracks(),
      sends: () => [...this.#sends.values()],
      videoCapBps: () => this.videoCapBps(),
    });
  }

  #newTrack(kind: MediaKind, clockRate: number): IncomingTrack {
    const { clock, link, imitation, misled } = this.#options;
    const own = this.ssrcs[kind];
    return new IncomingTrack({
      ...{ kind, clockRate, clock },
      keyFrameTurns: link.keyFrameTurns,
      clockOffset: this.#clockOffset,
      held: holdingOf(imitation, kind),
      misled: misled[kind],
      altered: alteredBy(imitation, kind),
      // As its reports on what it receives imply it; a browser that receives nothing tells none.
      roundTripMs: () => [...this.#sends.values()].find((send) => send.roundTripMs > 0)?.roundTripMs,
      sendNack: (media, numbers) => link.sendRtcp(withReceiverReport(own, writeNack(own, media, numbers))),
      sendKeyFrameRequest: (media) => link.sendRtcp(withReceiverReport(own, writePictureLossIndication(own, media))),
    });
  }

  /** What the browser sends, as a source for others. */
  output(kind: MediaKind): MediaOutput {
    return (kind === 'video' ? this.#layers : undefined) ?? this.#tracks[kind];
  }

  #trackOf(kind: MediaKind, packet: Buffer): IncomingTrack | undefined {
    return kind === 'video' && this.#layers ? this.#layers.trackOf(packet) : this.#tracks[kind];
  }

  #allTracks(): readonly IncomingTrack[] {
    return [this.#tracks.audio, ...(this.#layers?.tracks ?? [this.#tracks.video])];
  }

  /** What the browser receives; `undefined` when it negotiated none of this kind. */
  input(kind: MediaKind): MediaInput | undefined {
    return this.#sends.get(kind);
  }

  /** Of layers the lowest. */
  track(kind: MediaKind): IncomingTrack {
    return (kind === 'video' ? this.#layers?.tracks[0] : undefined) ?? this.#tracks[kind];
  }

  send(kind: MediaKind): SendStream | undefined {
    return this.#sends.get(kind);
  }

  /** To be called once, with what the answer says. */
  negotiate(accepted: readonly AcceptedMedia[]): void {
    for (const media of accepted) {
      this.#numbers.negotiate(media.transportNumberId);
      this.#takeLayers(media);
      if (media.direction === 'sendrecv' || media.direction === 'recvonly') this.#receivable.add(media);
      if (media.direction === 'sendrecv' || media.direction === 'sendonly') this.#addSend(media);
    }
  }

  #takeLayers({ rids, ridId }: AcceptedMedia): void {
    if (rids.length === 0 || ridId === undefined) return;
    const newTrack = () => this.#newTrack('video', 90_000);
    this.#layers = new LayeredVideo({ ...this.#options, rids, ridId, newTrack });
  }

  #addSend(media: AcceptedMedia): void {
    const { maxVideoSendKbps, onCodecRefused } = this.#options;
    const transmit = this.#transmitOf(media);
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
        extensions: media,
        maxKbps: media.kind === 'video' ? maxVideoSendKbps : () => 0,
        shown: this.shown,
        keyless: this.#options.imitation.layerFault === 'keyless',
        transmit: (packet) => {
          const isSent = transmit(packet);
          if (isSent) this.#flows.note('in', media.kind);
          return isSent;
        },
        resending: resendingOf(media, { own: this.ssrcs[media.kind], rtx: this.rtxSsrc }, transmit),
        mayResend: () => !this.#options.link.crowded,
        onCodecRefused: (codec) => onCodecRefused(media.kind, codec),
      }),
    );
  }

  /** Where the packets of an m-line leave, numbered where that was negotiated: what is new, and what is sent again. */
  #transmitOf({ transportNumberId }: AcceptedMedia): (packet: LeavingPacket) => boolean {
    const { link, clock } = this.#options;
    if (transportNumberId === undefined) return (packet) => link.sendRtp(packet);
    return (packet) => {
      packet.header.transportNumber = this.#numbers.next(packetBytes(packet), clock.nowMs());
      return link.sendRtp(packet);
    };
  }

  /** To be called when the link is up. */
  start(): void {
    this.#timer = setInterval(() => this.#eachSecond(), tickMs);
    for (const send of this.#sends.values()) send.requestKeyFrame();
  }

  onRtp(datagram: Buffer): void {
    const nowMs = this.#options.clock.nowMs();
    this.#numbers.noteArrival(datagram, nowMs);
    const packet = readRtp(datagram);
    const received = packet && this.#receivable.read(packet, (kind) => this.#tracks[kind].stream?.ssrc);
    const track = received && this.#trackOf(received.kind, datagram);
    if (received === undefined || track === undefined) return;
    if (received.resent) {
      track.recover(received.packet, received.codec, datagram.length, nowMs);
      return;
    }
    this.#flows.note('out', received.kind);
    // A sender that is told of every arrival estimates its way itself.
    if (track === this.track('video') && !this.#numbers.negotiated)
      this.#videoCap.note(received.packet.timestamp, nowMs, this.#options.clock.lagMs?.());
    track.receive(received.packet, received.codec, datagram.length, nowMs);
  }

  onRtcp(compound: Buffer): void {
    const nowMs = this.#options.clock.nowMs();
    if (!this.#rtcpSeen) {
      this.#rtcpSeen = true;
      this.#options.onRtcp();
    }
    takeRtcp(compound, { tracks: this.#allTracks(), sends: this.#sends, numbers: this.#numbers }, nowMs);
  }

  #eachSecond(): void {
    const nowMs = this.#options.clock.nowMs();
    for (const kind of ['audio', 'video'] as const) {
      this.#flows.watch('out', kind, this.track(kind).lastPacketAtMs, nowMs);
      this.#flows.watch('in', kind, this.#sends.get(kind)?.lastPacketAtMs, nowMs);
    }
    this.#layers?.eachSecond(nowMs);
    this.#videoCap.eachSecond(nowMs);
    const video = this.#sends.get('video');
    if (video !== undefined && this.#numbers.negotiated) video.estimateBps = this.#numbers.afterSecond();
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

  close(): void {
    clearInterval(this.#timer);
    this.#layers?.close();
    for (const track of Object.values(this.#tracks)) track.close();
  }
}
