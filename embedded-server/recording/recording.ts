import type { MediaKind } from '../../model/scenario.js';
import type { RtpPacket } from '../../rtp/rtp.js';
import { Interleaver, type PlacedFrame } from './interleaver.js';
import { RecordedTrack } from './recorded-track.js';

/** While a key frame is missing it is asked for so often. */
const askEveryMs = 1000;

/** Where whole frames go, in the order of their times. */
export interface FrameSink {
  write(frame: PlacedFrame): void;
  /** Rejects with the first error of writing. */
  close(): Promise<void>;
}

interface RecordingListener {
  /** The picture cannot go on without a key frame: at once, and again each second until one has come. */
  onKeyFrameNeeded(): void;
  /** Nothing more is recorded. Told once. */
  onFailed(error: unknown): void;
}

interface Received {
  readonly kind: MediaKind;
  readonly packet: RtpPacket;
  readonly atMs: number;
}

/**
 * RTP of one VP8 and one Opus stream in, whole frames in the order of their times out. Packets are only noted when they
 * come, and worked on after whoever brought them has returned: nobody who forwards media waits for a recording, and
 * what goes wrong in it is its own.
 */
export class Recording {
  readonly #sink: FrameSink;
  readonly #listener: RecordingListener;
  readonly #tracks = { audio: new RecordedTrack('audio'), video: new RecordedTrack('video') };
  readonly #interleaver = new Interleaver();
  #inbox: Received[] = [];
  #due: ReturnType<typeof setImmediate> | undefined;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  #failed = false;
  #closing: Promise<void> | undefined;

  constructor(sink: FrameSink, listener: RecordingListener) {
    this.#sink = sink;
    this.#listener = listener;
  }

  get framesLeftOut(): number {
    return this.#tracks.video.framesLeftOut;
  }

  /** The packet is only lent: its payload is kept. */
  receive(kind: MediaKind, packet: RtpPacket, atMs: number): void {
    if (this.#closing !== undefined || this.#failed) return;
    this.#inbox.push({ kind, packet: { ...packet }, atMs });
    this.#due ??= setImmediate(() => this.#work());
  }

  /** What is received next begins anew: nothing of before is waited for. */
  pause(): void {
    this.#work();
    this.#guarded(() => this.#flushTracks());
  }

  /** Writes what was received, and closes. Idempotent; rejects with the first error of writing. */
  close(): Promise<void> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  async #finish(): Promise<void> {
    this.pause();
    this.#guarded(() => this.#write(this.#interleaver.flush()));
    await this.#sink.close();
  }

  #work(): void {
    clearImmediate(this.#due);
    this.#due = undefined;
    const inbox = this.#inbox;
    this.#inbox = [];
    this.#guarded(() => {
      for (const { kind, packet, atMs } of inbox) {
        this.#write(this.#interleaver.add(kind, this.#tracks[kind].receive(packet, atMs), atMs));
        if (this.#tracks.video.needsKeyFrame) this.#askForKeyFrame(atMs);
      }
    });
  }

  #flushTracks(): void {
    for (const kind of ['audio', 'video'] as const) {
      this.#write(this.#interleaver.add(kind, this.#tracks[kind].flush(), Number.NEGATIVE_INFINITY));
    }
  }

  #askForKeyFrame(nowMs: number): void {
    if (nowMs - this.#askedAtMs < askEveryMs) return;
    this.#askedAtMs = nowMs;
    this.#listener.onKeyFrameNeeded();
  }

  #write(frames: readonly PlacedFrame[]): void {
    for (const frame of frames) this.#sink.write(frame);
  }

  #guarded(act: () => void): void {
    if (this.#failed) return;
    try {
      act();
    } catch (error) {
      this.#failed = true;
      this.#inbox = [];
      this.#listener.onFailed(error);
    }
  }
}
