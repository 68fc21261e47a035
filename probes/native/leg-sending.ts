import { randomInt } from 'node:crypto';
import type { VideoCodec } from '../../model/codec.js';
import { layerMadeShare } from '../../model/layer.js';
import { leftForVideo, type RateFeedback, soundKbps } from '../../model/rate-control.js';
import type { MediaKind } from '../../model/scenario.js';
import { Departures } from '../../rtp/departures.js';
import type { Clock } from '../../rtp/egress.js';
import type { ReportBlock, RtcpMessage, SenderReport } from '../../rtp/rtcp.js';
import type { Clip } from '../page/encoded/clip-file.js';
import { type AgreedMedia, sendingFormat } from './agreed-media.js';
import { type FramePackets, framePackets } from './frame-packets.js';
import { neededRate, sharedRates } from './layer-rates.js';
import type { LegMarks } from './leg-marks.js';
import type { OwnStreams } from './own-description.js';
import { Pacer } from './pacer.js';
import { ResentLimit } from './resent-limit.js';
import { SendRate } from './send-rate.js';
import { type SentVoice, startSound } from './sent-sound.js';
import { SentStream, type Transmit } from './sent-stream.js';
import { SentVideo } from './sent-video.js';
import { type StreamNames, streamsOf } from './stream-names.js';

/** As libwebrtc: sender reports of video each second, of sound each five. */
const soundReportTicks = 5;
/** How often queues on the way are looked for; libwebrtc gives way within half a second, by each feedback. */
const wayMs = 300;
const leastResentShare = 0.25;
/** Fewer packets than this say nothing of loss (libwebrtc, `kLimitNumPackets`). */
const lossPackets = 20;

interface LegSendingOptions {
  readonly clock: Clock;
  /** Of the one video, or of each layer, the lowest first. */
  readonly clips: readonly Clip[];
  readonly voice: SentVoice;
  readonly videoCodec: VideoCodec;
  readonly own: OwnStreams;
  readonly sends: readonly MediaKind[];
  readonly agreed: readonly AgreedMedia[];
  /** What the descriptions allow of all that is sent, bit/s; infinity where the server tells it by REMB. */
  readonly ceilingBps: number;
  /** How the server says what of the video it can take. */
  readonly feedback: readonly RateFeedback[];
  readonly transmit: Transmit;
  /** Absent where frames are not marked. */
  readonly marks?: Pick<LegMarks, 'marking' | 'conversation'> | undefined;
  /** To be told when the other end misses packets. */
  readonly onMissing?: (() => void) | undefined;
}

/** What one leg sends: its streams, the rate of them, and what the server says of both. */
export class LegSending {
  readonly #options: LegSendingOptions;
  /** Sound first, then videos, the lowest layer first. */
  readonly streams: readonly SentStream[];
  /** Once it is up. */
  videos: readonly SentVideo[] = [];
  readonly #departures: Departures | undefined;
  readonly #rate: SendRate;
  readonly #pacer: Pacer;
  readonly #highest = new Map<number, { readonly number: number; readonly lost: number }>();
  readonly #resent = new ResentLimit();
  readonly #cut: FramePackets | undefined;
  #endSound: () => void = () => undefined;
  #ticks = 0;
  #wayAtMs: number;
  /** The video's share of what the sound leaves of the rate. */
  readonly #leftShare: number;

  constructor(options: LegSendingOptions) {
    this.#options = options;
    this.#wayAtMs = options.clock.nowMs();
    this.#cut = this.#newCut();
    this.#leftShare = leftForVideo(1, false, options.feedback) * (options.clips.length > 1 ? layerMadeShare : 1);
    this.#rate = new SendRate(options.ceilingBps);
    this.#pacer = new Pacer(options.clock, () => this.#rate.bps);
    const taking = options.agreed.filter(({ kind, theyTake }) => theyTake && options.sends.includes(kind));
    if (taking.some(({ transportNumberId }) => transportNumberId !== undefined)) this.#departures = new Departures();
    this.streams = (['audio', 'video'] as const).flatMap((kind) => {
      const media = taking.find((one) => one.kind === kind && sendingFormat(one, options.videoCodec));
      return media ? streamsOf(media, options.own).map((one) => this.#newStream(media, one)) : [];
    });
  }

  /** What of it the server does not take, as a part of a sentence; `undefined`: it takes all. */
  get refused(): string | undefined {
    const { sends, own } = this.#options;
    const kinds = sends.filter((kind) => !this.streams.some((stream) => stream.kind === kind));
    if (kinds.length > 0) return `no ${kinds.join(' and no ')} of ours`;
    const [taken, all] = [this.streams.filter(({ rid }) => rid !== undefined).length, own.layers?.length ?? 0];
    return taken < all && sends.includes('video') ? `${taken} of our ${all} layers` : undefined;
  }

  #newStream(media: AgreedMedia, { ssrc, resent, layer }: StreamNames): SentStream {
    const { clock, videoCodec, transmit, marks } = this.#options;
    const { kind, transportNumberId } = media;
    const { payloadType = 0, clockRate = 0, resentAs } = sendingFormat(media, videoCodec) ?? {};
    return new SentStream({
      kind,
      ssrc,
      payloadType,
      clockRate,
      headBytes: kind === 'video' ? (this.#cut?.headBytes ?? 0) : 0,
      ...(resentAs === undefined ? {} : { resent: { ...resent, payloadType: resentAs } }),
      layer,
      // One place in the header is enough for what tells the time of sending.
      absSendTimeId: transportNumberId === undefined ? media.absSendTimeId : undefined,
      transportNumberId,
      nowMs: () => clock.nowMs(),
      transportNumber: (bytes) => this.#departures?.next(bytes, clock.nowMs()) ?? 0,
      transmit,
      marking: marks?.marking,
      markAt: kind === 'video' ? this.#cut?.markAt : undefined,
    });
  }

  #newCut(): FramePackets | undefined {
    return framePackets(this.#options.videoCodec, randomInt(2 ** 15), this.#options.clips.length > 1);
  }

  /** To be called when the connection is up: media flows from now on. */
  start(): void {
    const { clock, clips, voice, marks } = this.#options;
    const sound = this.streams.find(({ kind }) => kind === 'audio');
    if (sound) this.#endSound = startSound(clock, voice, sound, marks);
    const pictures = this.streams.filter(({ kind }) => kind === 'video');
    const rates = sharedRates(this.#rate.bps / 1000, clips.map(ratedClip));
    this.videos = pictures.flatMap((stream, nth) => {
      const [clip, startKbps = 0] = [clips[nth], rates[nth]];
      const cut = this.#newCut();
      return clip && cut ? new SentVideo({ clip, clock, stream, pacer: this.#pacer, cut, startKbps }) : [];
    });
  }

  /** `nowMs`: when it came. */
  onMessage(message: RtcpMessage, nowMs = this.#options.clock.nowMs()): void {
    if (message.type === 'sender-report' || message.type === 'receiver-report') {
      for (const block of message.reports) this.#onReport(block, nowMs);
    } else if (message.type === 'nack') this.#onNack(message.mediaSsrc, message.sequenceNumbers);
    else if (message.type === 'key-frame-request') this.#onKeyFrameRequest(message.mediaSsrc, message.form);
    else if (message.type === 'remb') this.#rate.onRemb(message.bitrateBps, nowMs);
    else if (message.type === 'transport-feedback') {
      this.#departures?.onFeedback(message);
      if (this.#lookAtWay(nowMs)) this.#eachVideo((video, kbps) => video.giveWay(kbps));
    }
  }

  /** Returns whether it was time to. */
  #lookAtWay(nowMs: number): boolean {
    const agoMs = nowMs - this.#wayAtMs;
    if (!this.#departures || agoMs < wayMs) return false;
    this.#wayAtMs = nowMs;
    const wayBps = this.#departures.after(agoMs / 1000);
    this.#rate.onArrivals(this.#departures.arrivedBps, wayBps, nowMs, this.#neededBps);
    return true;
  }

  /** What has to be allowed of all that is sent, so that one more layer is. */
  get #neededBps(): number {
    const kbps = neededRate(this.videos.map(rated));
    return kbps === 0 ? 0 : (1010 * kbps) / this.#leftShare + 1000 * soundKbps;
  }

  get #videoKbps(): number {
    const hasSound = this.streams.some(({ kind }) => kind === 'audio');
    return this.#leftShare * (this.#rate.bps / 1000 - (hasSound ? soundKbps : 0));
  }

  /** With what each may have of the rate of all. */
  #eachVideo(act: (video: SentVideo, kbps: number) => void): void {
    const rates = sharedRates(this.#videoKbps, this.videos.map(rated));
    for (const [nth, video] of this.videos.entries()) act(video, rates[nth] ?? 0);
  }

  #streamOf(ssrc: number): SentStream | undefined {
    return this.streams.find((stream) => stream.ssrc === ssrc);
  }

  #onReport(block: ReportBlock, nowMs: number): void {
    const stream = this.#streamOf(block.ssrc);
    if (!stream) return;
    stream.noteReport(block, nowMs);
    if (stream.kind !== 'video') return;
    const before = this.#highest.get(block.ssrc);
    const packets = before === undefined ? 0 : (block.highestSequenceNumber - before.number) >>> 0;
    if (before !== undefined && packets < lossPackets) return;
    this.#highest.set(block.ssrc, { number: block.highestSequenceNumber, lost: block.cumulativeLost });
    const lost = before === undefined ? 0 : Math.max(0, block.cumulativeLost - before.lost);
    this.#rate.onLoss(lost / Math.max(1, packets), stream.remote?.roundTripMs ?? 0, nowMs);
  }

  #onNack(ssrc: number, numbers: readonly number[]): void {
    const stream = this.#streamOf(ssrc);
    if (!stream) return;
    stream.nacks += 1;
    this.#options.onMissing?.();
    for (const number of numbers) this.#pacer.pushAgain(() => this.#resend(stream, number));
  }

  #resend(stream: SentStream, number: number): number {
    const nowMs = this.#options.clock.nowMs();
    if (!this.#resent.allows(this.#resentBps, nowMs)) return 0;
    const bytes = stream.resend(number);
    this.#resent.note(bytes, nowMs);
    return bytes;
  }

  /** libwebrtc's encoder makes room for resent packets. Without a lower rate those get the rest, at least a little. */
  get #resentBps(): number {
    const { bps } = this.#rate;
    const kbps = this.videos.reduce((sum, video) => sum + video.kbps, 0);
    const isLowest = this.videos.length > 0 && this.videos.every((video) => video.isLowest);
    return isLowest ? Math.max(leastResentShare * bps, bps - 1000 * (soundKbps + kbps)) : bps;
  }

  #onKeyFrameRequest(ssrc: number, form: 'pli' | 'fir'): void {
    const stream = this.#streamOf(ssrc);
    if (stream?.kind !== 'video') return;
    if (form === 'pli') stream.plis += 1;
    for (const video of this.videos) video.requestKeyFrame();
  }

  /** To be called each second: the rate follows what is allowed, as an encoded probe's does. */
  tick(): readonly SenderReport[] {
    const nowMs = this.#options.clock.nowMs();
    this.#ticks += 1;
    this.#lookAtWay(nowMs);
    this.#eachVideo((video, kbps) => video.eachSecond(kbps));
    const isDue = ({ kind }: SentStream): boolean => kind === 'video' || this.#ticks % soundReportTicks === 0;
    return this.streams.toReversed().flatMap((stream) => (isDue(stream) ? (stream.senderReport(nowMs) ?? []) : []));
  }

  /** The kinds that are sent again on an SSRC of their own. */
  get resentApart(): readonly MediaKind[] {
    return [...new Set(this.streams.flatMap((stream) => (stream.isResentApart ? [stream.kind] : [])))];
  }

  get rateBps(): number {
    return this.#rate.bps;
  }

  close(): void {
    this.#endSound();
    for (const video of this.videos) video.close();
    this.#pacer.close();
  }
}

const ratedClip = ({ width, height, rungs }: Clip) => ({ width, height, kbps: rungs.at(-1)?.kbps ?? 0, isOn: true });
const rated = ({ clip, isOn }: SentVideo) => ({ ...ratedClip(clip), isOn });
