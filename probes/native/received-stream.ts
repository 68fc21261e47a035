import type { Clock } from '../../embedded-server/media/egress.js';
import { MissingPackets } from '../../embedded-server/media/missing-packets.js';
import { type RtpPacket, sequenceDistance } from '../../embedded-server/media/rtp.js';
import type { MediaKind } from '../../model/scenario.js';
import { FrameLine, type WholeFrame } from './frame-line.js';
import { Freezes } from './freezes.js';
import { StreamCounts } from './stream-counts.js';
import { type PictureSize, videoPieces } from './video-pieces.js';

/** As libwebrtc: how long a receiver waits for a first key frame before it asks again, and for any frame before it asks for one. */
const keyFrameWaitMs = 200;
const frameWaitMs = 3_000;

export interface ReceivedStreamOptions {
  readonly kind: MediaKind;
  /** As SDP names it, in lower case. */
  readonly codec: string;
  readonly clockRate: number;
  readonly ssrc: number;
  readonly clock: Clock;
  readonly roundTripMs: () => number | undefined;
  readonly sendNack: (numbers: readonly number[]) => void;
  readonly sendKeyFrameRequest: () => void;
}

/** One stream that a native probe receives: counted, asked for again where packets are missing, and put together to frames. */
export class ReceivedStream {
  readonly kind: MediaKind;
  readonly counts: StreamCounts;
  readonly freezes = new Freezes();
  readonly #options: ReceivedStreamOptions;
  readonly #frames: FrameLine;
  #missing = new MissingPackets();
  #cancelNack: (() => void) | undefined;
  #closed = false;
  #firstAtMs: number | undefined;
  #frameAtMs: number | undefined;
  /** When the packet that is looked at came. */
  #nowMs = 0;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  /** Of a stream of its own for resending (RFC 4588): packets, padding included, and their payload. */
  resentPackets = 0;
  resentBytes = 0;
  framesWhole = 0;
  framesDecodable = 0;
  keyFrames = 0;
  nacks = 0;
  plis = 0;
  size: PictureSize | undefined;
  lastPacketAtMs: number | undefined;

  constructor(options: ReceivedStreamOptions) {
    this.kind = options.kind;
    this.#options = options;
    this.counts = new StreamCounts(options.ssrc, options.clockRate);
    this.#frames = new FrameLine(
      () => {
        this.framesWhole += 1;
      },
      (frame) => this.#decodable(frame),
    );
  }

  receive(packet: RtpPacket, nowMs: number): void {
    const { sequenceNumber, timestamp } = packet;
    const paddingBytes = packet.padding ? paddingOf(packet) : 0;
    const payloadBytes = packet.payload.length - paddingBytes;
    const { restarts } = this.counts;
    const extended = this.counts.take(sequenceNumber, timestamp, payloadBytes, nowMs);
    this.lastPacketAtMs = nowMs;
    if (extended === undefined || this.kind === 'audio') return;
    this.#firstAtMs ??= nowMs;
    if (this.counts.restarts > restarts) this.#forget();
    if (this.#missing.note(extended, nowMs)) this.#askForKeyFrame(nowMs);
    this.#armNack(nowMs);
    this.#piece(packet, extended, payloadBytes === 0, nowMs);
    this.#watchFrames(nowMs);
  }

  /** A packet of the stream for resending, and what it carries; `undefined`: nothing but padding. */
  recover(payloadBytes: number, original: RtpPacket | undefined, nowMs: number): void {
    this.resentPackets += 1;
    this.resentBytes += payloadBytes;
    this.lastPacketAtMs = nowMs;
    if (!original || this.counts.highest < 0) return;
    const { highest } = this.counts;
    const extended = highest + sequenceDistance(highest & 0xffff, original.sequenceNumber);
    if (!this.counts.isMissing(extended)) return;
    this.#missing.note(extended, nowMs);
    this.#piece(original, extended, false, nowMs);
  }

  #piece({ payload, timestamp, marker }: RtpPacket, extended: number, isEmpty: boolean, nowMs: number): void {
    const read = videoPieces[this.#options.codec];
    if (!read) return;
    this.#nowMs = nowMs;
    const { size, starts, isKey } = isEmpty ? { starts: false, isKey: false, size: undefined } : read(payload);
    if (size) this.size = size;
    this.#frames.take({ extended, timestamp, marker, isEmpty, starts, isKey });
  }

  #decodable({ isKey }: WholeFrame): void {
    this.framesDecodable += 1;
    if (isKey) this.keyFrames += 1;
    this.#frameAtMs = this.#nowMs;
    this.freezes.note(this.#nowMs);
  }

  /** Nothing to decode for long: only a key frame helps. */
  #watchFrames(nowMs: number): void {
    const sinceMs = this.#frameAtMs ?? this.#firstAtMs ?? nowMs;
    const waitMs = this.#frameAtMs === undefined ? keyFrameWaitMs : frameWaitMs;
    if (nowMs - sinceMs >= waitMs) this.#askForKeyFrame(nowMs);
  }

  #askForKeyFrame(nowMs: number): void {
    if (nowMs - this.#askedAtMs < keyFrameWaitMs || this.#closed) return;
    this.#askedAtMs = nowMs;
    this.plis += 1;
    this.#options.sendKeyFrameRequest();
  }

  #armNack(nowMs: number): void {
    if (this.#cancelNack !== undefined || this.#closed || !this.#missing.any) return;
    const { clock, roundTripMs, sendNack } = this.#options;
    this.#cancelNack = clock.after(Math.max(1, (this.#missing.nextDueAtMs() ?? nowMs) - nowMs), () => {
      this.#cancelNack = undefined;
      const laterMs = clock.nowMs();
      const { numbers, givenUp } = this.#missing.due(laterMs, roundTripMs());
      if (givenUp > 0) this.#askForKeyFrame(laterMs);
      if (numbers.length > 0) {
        this.nacks += 1;
        sendNack(numbers);
      }
      this.#armNack(laterMs);
    });
  }

  #forget(): void {
    this.#missing = new MissingPackets();
    this.#frames.forget();
  }

  close(): void {
    this.#closed = true;
    this.#cancelNack?.();
  }
}

/** The last byte of padding says how much of it there is (RFC 3550, 5.1). */
function paddingOf({ payload }: RtpPacket): number {
  return Math.min(payload.length, payload.at(-1) ?? 0);
}
