import type { MediaKind } from '../../model/scenario.js';
import type { Clock } from '../../rtp/egress.js';
import type { KeyFrameTurns } from '../../rtp/key-frame-turns.js';
import { beginsKeyFrame } from '../../rtp/key-frames.js';
import { fromNtp, type NtpTime } from '../../rtp/ntp.js';
import type { RtpPacket } from '../../rtp/rtp.js';
import type { Altered } from './altered-media.js';
import type { ClockOffset } from './clock-offset.js';
import { FanOut } from './fan-out.js';
import { HeldBack, type Holding, isHolding, keptPackets } from './held-back.js';
import { KeyFrameRequests } from './key-frame-requests.js';
import type { MisledStreams } from './misled-streams.js';
import { MissingPackets } from './missing-packets.js';
import type { MediaInput, MediaOutput } from './ports.js';
import { ReceiveStream } from './receive-stream.js';
import { type FramePacket, WholeFrames } from './whole-frames.js';

interface IncomingTrackOptions {
  readonly kind: MediaKind;
  readonly clockRate: number;
  readonly clock: Clock;
  readonly keyFrameTurns: KeyFrameTurns;
  readonly clockOffset: ClockOffset;
  /** By how much later what comes is handed on; absent: at once. */
  readonly held?: Holding;
  /** Faults on purpose. */
  readonly misled?: MisledStreams | undefined;
  readonly altered?: Altered | undefined;
  /** Between the server and the sender; `undefined` while that is unknown. */
  readonly roundTripMs: () => number | undefined;
  readonly sendNack: (mediaSsrc: number, sequenceNumbers: readonly number[]) => void;
  readonly sendKeyFrameRequest: (mediaSsrc: number) => void;
}

/** What one browser sends of one kind: counted, repaired by NACK, and handed on to every attached input. */
export class IncomingTrack implements MediaOutput {
  readonly kind: MediaKind;
  readonly #options: IncomingTrackOptions;
  readonly #inputs = new FanOut();
  readonly #frames: WholeFrames;
  readonly #held: HeldBack<readonly FramePacket[]> | undefined;
  readonly #keyFrames: KeyFrameRequests;
  #stream: ReceiveStream | undefined;
  #missing = new MissingPackets();
  #senderReport: { readonly ntpMs: number; readonly rtpTimestamp: number } | undefined;
  #cancelNack: (() => void) | undefined;
  #closed = false;
  lastPacketAtMs: number | undefined;
  nacksSent = 0;
  /** Packets that came on the RTX stream in place of lost ones. */
  recovered = 0;

  constructor(options: IncomingTrackOptions) {
    this.kind = options.kind;
    this.#options = options;
    const { held } = options;
    const later = (packets: readonly FramePacket[], nowMs: number) => this.#leave(packets, nowMs);
    this.#held = held && isHolding(held) ? new HeldBack(options.clock, held, later) : undefined;
    this.#frames = new WholeFrames(options.clock, (packets, nowMs) => this.#handOn(packets, nowMs));
    this.#keyFrames = new KeyFrameRequests(options.clock, options.keyFrameTurns, () => {
      if (this.#stream !== undefined) options.sendKeyFrameRequest(this.#stream.ssrc);
    });
  }

  get keyFramesAsked(): number {
    return this.#keyFrames.count;
  }

  get bytes(): number {
    return this.#stream?.bytes ?? 0;
  }

  get stream(): ReceiveStream | undefined {
    return this.#stream;
  }

  get inputs(): readonly MediaInput[] {
    return this.#inputs.inputs;
  }

  attach(input: MediaInput): void {
    this.#inputs.add(input);
    this.requestKeyFrame();
  }

  /** Without a key frame to begin with: a fault on purpose. */
  attachUnasked(input: MediaInput): void {
    this.#inputs.add(input);
  }

  detach(input: MediaInput): void {
    this.#inputs.remove(input);
  }

  receive(packet: RtpPacket, codec: string, bytes: number, nowMs: number): void {
    if (this.#stream?.ssrc !== packet.ssrc) this.#begin(packet.ssrc);
    const stream = this.#stream;
    const restartsBefore = stream?.restarts;
    const extended = stream?.count(packet.sequenceNumber, packet.timestamp, nowMs);
    if (stream === undefined || extended === undefined) return;
    if (stream.restarts !== restartsBefore) this.#forget();
    stream.bytes += bytes;
    this.lastPacketAtMs = nowMs;
    if (this.kind === 'video') {
      this.#repair(extended, nowMs);
      this.#noteKeyFrame(packet, codec);
      this.#frames.take(packet, codec, nowMs);
    } else this.#handOn([{ packet, codec }], nowMs);
  }

  #handOn(packets: readonly FramePacket[], nowMs: number): void {
    const left = this.#options.altered?.(packets) ?? packets;
    if (this.#held) this.#held.take(keptPackets(left));
    else this.#leave(left, nowMs);
  }

  #leave(packets: readonly FramePacket[], nowMs: number): void {
    const receivers = this.#closed ? undefined : this.#options.misled?.inPlaceOf(this.#inputs);
    (receivers ?? this.#inputs).handOnTogether(packets, this, nowMs);
  }

  /** A packet that the browser sent again on its RTX stream. */
  recover(packet: RtpPacket, codec: string, bytes: number, nowMs: number): void {
    const extended = this.#stream?.recover(packet.sequenceNumber);
    if (this.#stream === undefined || extended === undefined) return;
    this.#stream.bytes += bytes;
    this.recovered += 1;
    this.#missing.note(extended, nowMs);
    this.#noteKeyFrame(packet, codec);
    this.#handOn([{ packet, codec }], nowMs);
  }

  #noteKeyFrame(packet: RtpPacket, codec: string): void {
    // A codec whose key frames are not told apart is asked once each time.
    if (this.kind === 'video' && beginsKeyFrame(codec, packet.payload) !== false) this.#keyFrames.answered();
  }

  #begin(ssrc: number): void {
    this.#stream = new ReceiveStream(ssrc, this.#options.clockRate);
    this.#forget();
  }

  /** What was known of the numbers and times of a sender that has begun anew. */
  #forget(): void {
    this.#missing = new MissingPackets();
    this.#senderReport = undefined;
    if (this.#inputs.inputs.length > 0) this.requestKeyFrame();
  }

  #repair(extended: number, nowMs: number): void {
    if (this.#missing.note(extended, nowMs)) this.requestKeyFrame();
    this.#armNack(nowMs);
  }

  #armNack(nowMs: number): void {
    if (this.#cancelNack !== undefined || this.#closed || !this.#missing.any) return;
    const dueAtMs = this.#missing.nextDueAtMs() ?? nowMs;
    this.#cancelNack = this.#options.clock.after(Math.max(1, dueAtMs - nowMs), () => {
      this.#cancelNack = undefined;
      const laterMs = this.#options.clock.nowMs();
      const { numbers, givenUp } = this.#missing.due(laterMs, this.#options.roundTripMs());
      if (givenUp > 0) this.requestKeyFrame();
      if (numbers.length > 0 && this.#stream !== undefined) {
        this.nacksSent += 1;
        this.#options.sendNack(this.#stream.ssrc, numbers);
      }
      this.#armNack(laterMs);
    });
  }

  requestKeyFrame(): void {
    // Before the first packet the sender's SSRC is unknown; its first frame is a key frame anyway.
    if (this.kind === 'video' && this.#stream !== undefined) this.#keyFrames.request();
  }

  noteSenderReport(report: NtpTime & { readonly rtpTimestamp: number }, nowMs: number): void {
    const ntpMs = fromNtp(report);
    this.#stream?.noteSenderReport(report.ntpSeconds, report.ntpFraction, nowMs);
    this.#senderReport = { ntpMs, rtpTimestamp: report.rtpTimestamp };
    this.#options.clockOffset.note(ntpMs, nowMs);
  }

  timestampAt(nowMs: number): number | undefined {
    const remoteMs = this.#options.clockOffset.remoteTimeAt(nowMs);
    if (remoteMs === undefined || this.#senderReport === undefined) return undefined;
    const ticks = Math.round(((remoteMs - this.#senderReport.ntpMs) * this.#options.clockRate) / 1000);
    return (this.#senderReport.rtpTimestamp + ticks) >>> 0;
  }

  close(): void {
    this.#closed = true;
    this.#cancelNack?.();
    this.#keyFrames.close();
    this.#frames.close();
    this.#held?.close();
    this.#options.misled?.forget(this.#inputs);
    this.#inputs.clear();
  }
}
