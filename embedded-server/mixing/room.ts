import type { MediaKind } from '../../model/scenario.js';
import type { Clock } from '../media/egress.js';
import { KeyFrameRequests } from '../media/key-frame-requests.js';
import { beginsKeyFrame } from '../media/key-frames.js';
import type { MediaInput, MediaOutput } from '../media/ports.js';
import type { RtpPacket } from '../media/rtp.js';
import { MixOutput } from './mix-output.js';
import { compositeFormat, type MixerFormat } from './mixer-pipeline.js';
import { Mixer } from './mixer-process.js';

/** Members that come within this time of one another share one start of the mixer. */
const regroupMs = 200;

/** One member's place in a room: what it sends goes into `inputs`, what it receives comes out of `outputs`. */
export interface Seat {
  readonly inputs: Readonly<Record<MediaKind, MediaInput>>;
  readonly outputs: Readonly<Record<MediaKind, MixOutput>>;
  leave(): void;
}

/**
 * A room whose members are mixed by one child process. The layout of a running mixer is fixed, so it is started anew
 * when members come or go; receivers see one seamless stream with a short pause.
 */
export class Room {
  readonly #clock: Clock;
  readonly #format: MixerFormat;
  readonly #onDead: (detail: string) => void;
  #seats: readonly SeatState[] = [];
  #mixer: Mixer | undefined;
  #mixed: readonly SeatState[] = [];
  #cancelRegroup: (() => void) | undefined;
  #work: Promise<void> = Promise.resolve();
  /** One encoder serves all, so requests of several receivers are one request. */
  readonly #keyFrames: KeyFrameRequests;
  #ended = false;

  /** `onDead` is called once, when the mixer's process ends by itself or cannot be started; the room is over then. */
  constructor(clock: Clock, onDead: (detail: string) => void, format: MixerFormat = compositeFormat) {
    this.#clock = clock;
    this.#onDead = onDead;
    this.#format = format;
    this.#keyFrames = new KeyFrameRequests(clock, () => this.#mixer?.requestKeyFrame());
  }

  enter(): Seat {
    const state = new SeatState(
      (kind, packet) => this.#feed(state, kind, packet),
      () => this.#keyFrames.request(),
    );
    this.#seats = [...this.#seats, state];
    this.#regroupSoon();
    return { inputs: state.inputs, outputs: state.outputs, leave: () => this.#leave(state) };
  }

  /** Ends the mixer. Idempotent. */
  async close(): Promise<void> {
    this.#ended = true;
    this.#keyFrames.close();
    this.#cancelRegroup?.();
    await this.#work;
    await this.#mixer?.close();
  }

  #leave(state: SeatState): void {
    this.#seats = this.#seats.filter((other) => other !== state);
    this.#regroupSoon();
  }

  #regroupSoon(): void {
    if (this.#ended) return;
    this.#cancelRegroup?.();
    this.#cancelRegroup = this.#clock.after(regroupMs, () => {
      this.#work = this.#work.then(() => this.#regroup());
    });
  }

  async #regroup(): Promise<void> {
    await this.#mixer?.close();
    this.#mixer = undefined;
    const seats = this.#seats;
    if (this.#ended || seats.length === 0) return;
    try {
      this.#mixer = await Mixer.start(
        seats.length,
        {
          onVideo: (packet) => {
            const nowMs = this.#clock.nowMs();
            if (beginsKeyFrame('vp8/90000', packet.payload)) this.#keyFrames.answered();
            for (const seat of seats) seat.outputs.video.receive(packet, nowMs);
          },
          onAudio: (index, packet) => seats[index]?.outputs.audio.receive(packet, this.#clock.nowMs()),
          // Asked earlier, key frames would come before the decoders listen for them.
          onPlaying: () => {
            for (const seat of seats) seat.askSourceForKeyFrame();
          },
          onExit: (detail) => this.#die(detail),
        },
        this.#format,
      );
    } catch (error) {
      this.#die(error instanceof Error ? error.message : String(error));
      return;
    }
    this.#mixed = seats;
  }

  #die(detail: string): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#keyFrames.close();
    this.#cancelRegroup?.();
    this.#onDead(detail);
  }

  #feed(state: SeatState, kind: MediaKind, packet: RtpPacket): void {
    const index = this.#mixed.indexOf(state);
    if (index < 0) return;
    if (kind === 'video') this.#mixer?.sendVideo(index, packet);
    else this.#mixer?.sendAudio(index, packet);
  }
}

/** Codecs that the mixer decodes. */
const decodable: Readonly<Record<MediaKind, string>> = { audio: 'opus', video: 'vp8' };

class SeatState {
  readonly inputs: Readonly<Record<MediaKind, MediaInput>>;
  readonly outputs: Readonly<Record<MediaKind, MixOutput>>;
  #videoSource: MediaOutput | undefined;

  constructor(feed: (kind: MediaKind, packet: RtpPacket) => void, requestKeyFrame: () => void) {
    const input = (kind: MediaKind): MediaInput => ({
      kind,
      // What goes into a Composite is not capped, as in Kurento.
      maxKbps: 0,
      receive: (packet, codec, from) => {
        if (kind === 'video') this.#videoSource = from;
        if (codec.startsWith(decodable[kind])) feed(kind, packet);
      },
    });
    this.inputs = { audio: input('audio'), video: input('video') };
    this.outputs = { audio: new MixOutput('audio', () => {}), video: new MixOutput('video', requestKeyFrame) };
  }

  askSourceForKeyFrame(): void {
    this.#videoSource?.requestKeyFrame();
  }
}
