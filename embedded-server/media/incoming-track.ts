import type { MediaKind } from '../../model/scenario.js';
import type { ClockOffset } from './clock-offset.js';
import type { Clock } from './egress.js';
import { FanOut } from './fan-out.js';
import { MissingPackets } from './missing-packets.js';
import { fromNtp, type NtpTime } from './ntp.js';
import type { MediaInput, MediaOutput } from './ports.js';
import { ReceiveStream } from './receive-stream.js';
import type { RtpPacket } from './rtp.js';

/** Two key frame requests to one sender are at least this far apart: key frames are large. */
export const keyFrameGapMs = 400;

export interface IncomingTrackOptions {
  readonly kind: MediaKind;
  readonly clockRate: number;
  readonly clock: Clock;
  readonly clockOffset: ClockOffset;
  readonly sendNack: (mediaSsrc: number, sequenceNumbers: readonly number[]) => void;
  readonly sendKeyFrameRequest: (mediaSsrc: number) => void;
}

/** What one browser sends of one kind: counted, repaired by NACK, and handed on to every attached input. */
export class IncomingTrack implements MediaOutput {
  readonly kind: MediaKind;
  readonly #options: IncomingTrackOptions;
  readonly #inputs = new FanOut();
  #stream: ReceiveStream | undefined;
  #missing = new MissingPackets();
  #senderReport: { readonly ntpMs: number; readonly rtpTimestamp: number } | undefined;
  #cancelNack: (() => void) | undefined;
  #cancelKeyFrame: (() => void) | undefined;
  #keyFrameAskedAtMs = Number.NEGATIVE_INFINITY;
  #closed = false;
  lastPacketAtMs: number | undefined;
  nacksSent = 0;
  /** Packets that came on the RTX stream in place of lost ones. */
  recovered = 0;
  keyFramesAsked = 0;

  constructor(options: IncomingTrackOptions) {
    this.kind = options.kind;
    this.#options = options;
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

  detach(input: MediaInput): void {
    this.#inputs.remove(input);
  }

  receive(packet: RtpPacket, codec: string, bytes: number, nowMs: number): void {
    if (this.#stream?.ssrc !== packet.ssrc) this.#begin(packet.ssrc);
    const stream = this.#stream;
    const extended = stream?.count(packet.sequenceNumber, packet.timestamp, nowMs);
    if (stream === undefined || extended === undefined) return;
    stream.bytes += bytes;
    this.lastPacketAtMs = nowMs;
    if (this.kind === 'video') this.#repair(extended, nowMs);
    this.#inputs.handOn(packet, codec, this, nowMs);
  }

  /** A packet that the browser sent again on its RTX stream. */
  recover(packet: RtpPacket, codec: string, bytes: number, nowMs: number): void {
    const extended = this.#stream?.recover(packet.sequenceNumber);
    if (this.#stream === undefined || extended === undefined) return;
    this.#stream.bytes += bytes;
    this.recovered += 1;
    this.#missing.note(extended, nowMs);
    this.#inputs.handOn(packet, codec, this, nowMs);
  }

  #begin(ssrc: number): void {
    this.#stream = new ReceiveStream(ssrc, this.#options.clockRate);
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
      const numbers = this.#missing.due(laterMs);
      if (numbers.length > 0 && this.#stream !== undefined) {
        this.nacksSent += 1;
        this.#options.sendNack(this.#stream.ssrc, numbers);
      }
      this.#armNack(laterMs);
    });
  }

  /** Sent at once, or at the end of the gap since the last one; requests in between are one request. */
  requestKeyFrame(): void {
    if (this.kind !== 'video' || this.#closed || this.#cancelKeyFrame !== undefined) return;
    const nowMs = this.#options.clock.nowMs();
    const waitMs = this.#keyFrameAskedAtMs + keyFrameGapMs - nowMs;
    if (waitMs <= 0) {
      this.#askKeyFrame(nowMs);
      return;
    }
    this.#cancelKeyFrame = this.#options.clock.after(waitMs, () => {
      this.#cancelKeyFrame = undefined;
      this.#askKeyFrame(this.#options.clock.nowMs());
    });
  }

  #askKeyFrame(nowMs: number): void {
    // Before the first packet the sender's SSRC is unknown; its first frame is a key frame anyway.
    if (this.#stream === undefined) return;
    this.#keyFrameAskedAtMs = nowMs;
    this.keyFramesAsked += 1;
    this.#options.sendKeyFrameRequest(this.#stream.ssrc);
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
    this.#cancelKeyFrame?.();
    this.#inputs.clear();
  }
}
