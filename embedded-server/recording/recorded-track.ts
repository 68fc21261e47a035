import type { MediaKind } from '../../model/scenario.js';
import { type RtpPacket, timestampDistance } from '../../rtp/rtp.js';
import { SequenceLine } from '../../rtp/sequence-line.js';
import { type InOrder, OrderedPackets } from '../media/ordered-packets.js';
import { type FrameMaker, frameMakerOf, type StoredFrame } from './frames.js';

/** A packet that is asked for again over a long way, twice, comes within this time; a file has it to give. */
export const arrivalDeadlineMs = 1000;

const clockRates: Readonly<Record<MediaKind, number>> = { audio: 48_000, video: 90_000 };

/** A whole frame with its place in the file. */
export interface TimedFrame {
  readonly data: Buffer;
  readonly isKeyFrame: boolean;
  /** On the line of arrival times. */
  readonly timeMs: number;
}

/**
 * One stream of a recording: its packets in order, whole frames of them, and their times. A sender that restarts
 * (another SSRC, or numbers far away) begins a new piece, which is placed by when it arrived.
 */
export class RecordedTrack {
  readonly #kind: MediaKind;
  #piece: Piece | undefined;
  #framesLeftOutBefore = 0;

  constructor(kind: MediaKind) {
    this.#kind = kind;
  }

  /** `atMs` is when the packet came, on one clock for both kinds: it places sound and picture against each other. */
  receive(packet: RtpPacket, atMs: number): readonly TimedFrame[] {
    const before = this.#piece?.ssrc === packet.ssrc ? [] : this.flush();
    this.#piece ??= new Piece(this.#kind, packet, atMs);
    const frames = this.#piece.receive(packet, atMs);
    if (frames !== undefined) return [...before, ...frames];
    const last = this.flush();
    this.#piece = new Piece(this.#kind, packet, atMs);
    return [...last, ...(this.#piece.receive(packet, atMs) ?? [])];
  }

  /** What waited for packets that will not come any more. */
  flush(): readonly TimedFrame[] {
    const frames = this.#piece?.flush() ?? [];
    this.#framesLeftOutBefore += this.#piece?.maker.framesLeftOut ?? 0;
    this.#piece = undefined;
    return frames;
  }

  /** Nothing is known before the first packets are in order: one may be among them. */
  get needsKeyFrame(): boolean {
    return this.#piece?.needsKeyFrame ?? false;
  }

  get framesLeftOut(): number {
    return this.#framesLeftOutBefore + (this.#piece?.maker.framesLeftOut ?? 0);
  }
}

class Piece {
  readonly ssrc: number;
  readonly maker: FrameMaker;
  readonly #line = new SequenceLine();
  readonly #ordered = new OrderedPackets<RtpPacket>(arrivalDeadlineMs);
  readonly #ticksPerMs: number;
  #timestamp: number;
  /** Of `#timestamp`. */
  #timeMs: number;

  constructor(kind: MediaKind, first: RtpPacket, atMs: number) {
    this.ssrc = first.ssrc;
    this.maker = frameMakerOf(kind);
    this.#ticksPerMs = clockRates[kind] / 1000;
    this.#timestamp = first.timestamp;
    this.#timeMs = atMs;
  }

  /** `undefined` when the packet is of a sender that has restarted. */
  receive(packet: RtpPacket, atMs: number): readonly TimedFrame[] | undefined {
    const extended = this.#line.place(packet.sequenceNumber);
    if (this.#line.restarts > 0) return undefined;
    return extended === undefined ? [] : this.#timed(this.#ordered.receive(extended, packet, atMs));
  }

  get needsKeyFrame(): boolean {
    return this.#ordered.begun && this.maker.needsKeyFrame;
  }

  flush(): readonly TimedFrame[] {
    return this.#timed(this.#ordered.flush());
  }

  #timed(steps: readonly InOrder<RtpPacket>[]): readonly TimedFrame[] {
    return this.maker.frames(steps).map((frame) => this.#place(frame));
  }

  #place({ data, isKeyFrame, timestamp }: StoredFrame): TimedFrame {
    // From frame to frame, so that the wrap of 32 bits is passed however long the recording.
    this.#timeMs += timestampDistance(this.#timestamp, timestamp) / this.#ticksPerMs;
    this.#timestamp = timestamp;
    return { data, isKeyFrame, timeMs: this.#timeMs };
  }
}
