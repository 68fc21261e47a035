import type { MediaKind } from '../../model/scenario.js';
import type { Clock } from '../../rtp/egress.js';
import { type RtpPacket, sequenceDistance } from '../../rtp/rtp.js';
import { readMark } from '../page/frame-mark.js';
import type { MarkCounts } from '../page/mark-counts.js';
import type { Conversation } from './conversation.js';
import { type DecodableFrame, FrameLine } from './frame-line.js';
import { Freezes } from './freezes.js';
import { dueEveryMs, LostPackets } from './lost-packets.js';
import { PictureSizes } from './picture-sizes.js';
import { markReaders, ReceivedMarks } from './received-marks.js';
import type { ReceivedPacket } from './received-packet.js';
import { ShownTimes } from './shown-times.js';
import { SoundBuffer } from './sound-buffer.js';
import { StreamCounts } from './stream-counts.js';
import { videoPieces } from './video-pieces.js';

/** As libwebrtc: wait for a first key frame before asking again, and for any frame before asking for a key frame. */
const keyFrameWaitMs = 200;
const frameWaitMs = 3_000;

const emptyPiece = { starts: false, isKey: false, size: undefined, place: undefined };

interface ReceivedStreamOptions {
  readonly kind: MediaKind;
  /** Of its media section. */
  readonly mid: string;
  /** As SDP names it, in lower case. */
  readonly codec: string;
  readonly clockRate: number;
  readonly ssrc: number;
  readonly clock: Clock;
  readonly roundTripMs: () => number | undefined;
  readonly sendNack: (numbers: readonly number[]) => void;
  readonly sendKeyFrameRequest: () => void;
  /** Of video: how long the sound is kept that belongs to it. */
  readonly soundMs: () => number;
  /** Of what is looked at for marks. */
  readonly marks?: MarkCounts | undefined;
  readonly conversation?: Conversation;
}

/** One stream that a native probe receives: counted, asked for again where packets miss, made into frames. */
export class ReceivedStream {
  readonly kind: MediaKind;
  /** Of its entry in a report of webrtc-stats. */
  readonly entryId: string;
  readonly mid: string;
  readonly counts: StreamCounts;
  readonly freezes = new Freezes();
  readonly #options: ReceivedStreamOptions;
  /** Of video. */
  readonly #frames: FrameLine | undefined;
  /** Of sound. */
  readonly sound: SoundBuffer | undefined;
  #lost = new LostPackets();
  readonly #shown = new ShownTimes();
  readonly #marks: ReceivedMarks | undefined;
  #cancelNack: (() => void) | undefined;
  #closed = false;
  #firstAtMs: number | undefined;
  #frameAtMs: number | undefined;
  /** When the packet that is looked at came. */
  #nowMs = 0;
  /** The last frame that waited for earlier ones, though it needs none of them. */
  #waiting: { readonly timestamp: number; readonly sinceMs: number } | undefined;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  /** When the last packet of a key frame came. */
  #keyAtMs = Number.NEGATIVE_INFINITY;
  /** Of a stream of its own for resending (RFC 4588): packets, padding included, and their payload. */
  resentPackets = 0;
  resentBytes = 0;
  framesWhole = 0;
  framesDecodable = 0;
  /** Of the SSRCs that were its before. */
  framesBefore = 0;
  keyFrames = 0;
  nacks = 0;
  plis = 0;
  readonly pictures = new PictureSizes();
  lastPacketAtMs: number | undefined;

  constructor(options: ReceivedStreamOptions) {
    this.kind = options.kind;
    this.mid = options.mid;
    this.entryId = `inbound-${options.kind}-${options.ssrc}`;
    this.#options = options;
    this.counts = new StreamCounts(options.ssrc, options.clockRate);
    this.sound = options.kind === 'audio' ? new SoundBuffer(options.clockRate) : undefined;
    if (options.kind === 'audio') return;
    const reads = markReaders[options.codec];
    if (options.marks && reads) this.#marks = new ReceivedMarks(options.marks, reads);
    this.#frames = new FrameLine(
      ({ timestamp }) => {
        this.framesWhole += 1;
        this.#marks?.whole(timestamp, this.#nowMs);
        this.#shown.noteWhole(timestamp, this.#nowMs);
      },
      (frame) => this.#decodable(frame),
      (timestamp) => this.#isDue(timestamp),
    );
  }

  /** Those of SSRCs that were its before among them. */
  get framesShown(): number {
    return this.framesBefore + this.framesDecodable;
  }

  receive(packet: ReceivedPacket, nowMs: number): void {
    const { sequenceNumber, timestamp } = packet;
    const paddingBytes = packet.padding ? paddingOf(packet) : 0;
    const payloadBytes = packet.payloadBytes - paddingBytes;
    const { restarts } = this.counts;
    const extended = this.counts.take(sequenceNumber, timestamp, payloadBytes, nowMs);
    this.lastPacketAtMs = nowMs;
    if (extended === undefined) return;
    if (this.counts.restarts > restarts) this.#forget();
    this.sound?.take(extended, timestamp, payloadBytes, nowMs);
    if (this.kind === 'audio') {
      this.#options.conversation?.heard(payloadBytes, nowMs);
      if (payloadBytes > 0) this.#options.marks?.note(readMark(packet.payload, payloadBytes), nowMs);
      return;
    }
    this.#firstAtMs ??= nowMs;
    this.#passDue(nowMs);
    if (this.#lost.wasAskedFor(extended)) this.#shown.noteAskedFor(timestamp, nowMs);
    this.#noteLost(extended, nowMs);
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
    this.#passDue(nowMs);
    if (this.#lost.wasAskedFor(extended)) this.#shown.noteAskedFor(original.timestamp, nowMs);
    this.#lost.recovered(extended);
    this.#piece(original, extended, false, nowMs);
  }

  #piece(packet: RtpPacket, extended: number, isEmpty: boolean, nowMs: number): void {
    const { payload, timestamp, marker } = packet;
    const read = videoPieces[this.#options.codec];
    if (!read) return;
    const { size, starts, isKey, place } = isEmpty ? emptyPiece : read(payload);
    if (size) this.pictures.begins(timestamp, size);
    if (isKey) this.#keyAtMs = nowMs;
    if (!packet.padding) this.#marks?.look(timestamp, payload, marker);
    this.#frames?.take({ extended, timestamp, marker, isEmpty, starts, isKey, place });
  }

  #passDue(nowMs: number): void {
    this.#nowMs = nowMs;
    this.#frames?.passDue();
  }

  /** Of a frame that waits for earlier ones, though it needs none of them: whether a browser would have shown it. */
  #isDue(timestamp: number): boolean {
    if (this.#waiting?.timestamp !== timestamp) this.#waiting = { timestamp, sinceMs: this.#nowMs };
    return this.#nowMs >= this.#shown.dueMs(timestamp, this.#nowMs);
  }

  #decodable({ isKey, endsBefore, timestamp }: DecodableFrame): void {
    this.framesDecodable += 1;
    if (this.#lost.any) this.#lost.clearBefore(endsBefore);
    if (isKey) {
      this.keyFrames += 1;
      this.pictures.decoded(timestamp, this.#nowMs);
    }
    this.#frameAtMs = this.#nowMs;
    const { roundTripMs, soundMs } = this.#options;
    const sinceMs = this.#waiting?.timestamp === timestamp ? this.#waiting.sinceMs : this.#nowMs;
    this.freezes.note(this.#shown.of(timestamp, sinceMs, roundTripMs(), soundMs()));
  }

  /**
   * Nothing to decode for long: only a key frame helps. It is waited for as long again before it is asked for once
   * more, and not asked for while one is coming.
   */
  #watchFrames(nowMs: number): void {
    const sinceMs = Math.max(this.#frameAtMs ?? this.#firstAtMs ?? nowMs, this.#askedAtMs);
    const waitMs = this.#frameAtMs === undefined ? keyFrameWaitMs : frameWaitMs;
    if (nowMs - sinceMs >= waitMs && nowMs - this.#keyAtMs >= keyFrameWaitMs) this.#askForKeyFrame(nowMs);
  }

  #askForKeyFrame(nowMs: number): void {
    if (nowMs - this.#askedAtMs < keyFrameWaitMs || this.#closed) return;
    this.#askedAtMs = nowMs;
    this.plis += 1;
    this.#options.sendKeyFrameRequest();
  }

  #noteLost(extended: number, nowMs: number): void {
    const found = this.#lost.note(extended, nowMs);
    if (found === 'too-many') this.#askForKeyFrame(nowMs);
    else if (found) this.#askAgain(found);
    this.#armNack();
  }

  #askAgain(numbers: readonly number[]): void {
    if (numbers.length === 0 || this.#closed) return;
    this.nacks += 1;
    this.#options.sendNack(numbers);
  }

  #armNack(): void {
    if (this.#cancelNack !== undefined || this.#closed || !this.#lost.any) return;
    const { clock, roundTripMs } = this.#options;
    this.#cancelNack = clock.after(dueEveryMs, () => {
      this.#cancelNack = undefined;
      this.#askAgain(this.#lost.due(clock.nowMs(), roundTripMs()));
      this.#armNack();
    });
  }

  #forget(): void {
    this.#lost = new LostPackets();
    this.#frames?.forget();
    this.#waiting = undefined;
    this.#marks?.forget();
    this.sound?.forget();
    this.#shown.forget();
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
