import type { MediaKind } from '../../model/scenario.js';
import { beginsKeyFrame } from '../../rtp/key-frames.js';
import type { RtpPacket } from '../../rtp/rtp.js';
import type { MediaInput } from '../media/ports.js';
import type { MixOutput } from './mix-output.js';
import { compositeFormat, type MixerFormat } from './mixer-pipeline.js';
import { Mixer } from './mixer-process.js';
import { Mixing, type RoomGround, type StartMixer } from './mixing.js';
import { SeatState } from './seat-state.js';

/** Members that come within this time of one another share one start of the mixer. */
const regroupMs = 200;

/** One member's place in a room: what it sends goes into `inputs`, what it receives comes out of `outputs`. */
export interface Seat {
  readonly inputs: Readonly<Record<MediaKind, MediaInput>>;
  readonly outputs: Readonly<Record<MediaKind, MixOutput>>;
  leave(): void;
}

/**
 * A room whose members are mixed by one child process. The layout of a running mixer is fixed, so when members come or
 * go another is started beside it. Both are fed until the new one shows everybody; then receivers go over to it with a
 * key frame, and see one stream without a pause. A mix of one member alone is ended first: there is nobody whose
 * picture would stop.
 *
 * Where somebody listens and nobody watches, no picture is made; another mixer is started when that changes.
 */
export class Room {
  readonly #ground: RoomGround;
  readonly #format: MixerFormat;
  readonly #onDead: (detail: string) => void;
  readonly #startMixer: StartMixer;
  #seats: readonly SeatState[] = [];
  /** What members see. */
  #current: Mixing | undefined;
  /** What will take its place. */
  #next: Mixing | undefined;
  #cancelRegroup: (() => void) | undefined;
  #work: Promise<void> = Promise.resolve();
  #ended = false;

  /** `onDead` is called once, when a mixer's process ends by itself or cannot be started; the room is over then. */
  constructor(
    ground: RoomGround,
    onDead: (detail: string) => void,
    format: MixerFormat = compositeFormat,
    startMixer: StartMixer = (members, listener, asked) => Mixer.start(members, listener, asked),
  ) {
    this.#ground = ground;
    this.#onDead = onDead;
    this.#format = format;
    this.#startMixer = startMixer;
  }

  enter(): Seat {
    const state = new SeatState({
      feed: (kind, packet) => {
        this.#current?.feed(state, kind, packet);
        this.#next?.feed(state, kind, packet);
      },
      requestKeyFrame: () => this.#current?.requestKeyFrame(),
      onReceivers: () => {
        if (this.#newest !== undefined && this.#newest.soundOnly !== this.#isSoundOnly()) this.#regroupSoon();
      },
    });
    this.#seats = [...this.#seats, state];
    this.#regroupSoon();
    return { inputs: state.inputs, outputs: state.outputs, leave: () => this.#leave(state) };
  }

  /** Ends the mixer. Idempotent. */
  async close(): Promise<void> {
    this.#end();
    await this.#work;
    await Promise.all([this.#current?.close(), this.#next?.close()]);
  }

  #leave(state: SeatState): void {
    this.#seats = this.#seats.filter((other) => other !== state);
    this.#regroupSoon();
  }

  get #newest(): Mixing | undefined {
    return this.#next ?? this.#current;
  }

  #isReceived(kind: MediaKind): boolean {
    return this.#seats.some(({ outputs }) => outputs[kind].isReceived);
  }

  /** As it was while nobody receives anything. */
  #isSoundOnly(): boolean {
    if (this.#isReceived('video')) return false;
    return this.#isReceived('audio') || (this.#newest?.soundOnly ?? false);
  }

  /** Its members are those of the room, and it makes a picture where one is received. */
  #isAsWanted({ seats, soundOnly }: Mixing): boolean {
    return seats === this.#seats && soundOnly === this.#isSoundOnly();
  }

  #regroupSoon(): void {
    if (this.#ended) return;
    this.#cancelRegroup?.();
    this.#cancelRegroup = this.#ground.clock.after(regroupMs, () => {
      this.#work = this.#work.then(() => this.#regroup());
    });
  }

  async #regroup(): Promise<void> {
    if (this.#newest !== undefined && this.#isAsWanted(this.#newest)) return;
    const superseded = this.#next;
    this.#next = undefined;
    await superseded?.close();
    if (this.#ended) return;
    if (this.#seats.length === 0) {
      const last = this.#current;
      this.#current = undefined;
      await last?.close();
      return;
    }
    await this.#endMixOfOne();
    if (this.#ended) return;
    const mixing = new Mixing(this.#ground, this.#seats, this.#isSoundOnly());
    this.#next = mixing;
    try {
      await mixing.start(this.#startMixer, this.#format, {
        onVideo: (packet) => this.#onVideo(mixing, packet),
        onAudio: (seat, packet) => this.#onAudio(mixing, seat, packet),
        onExit: (detail) => this.#die(detail),
      });
    } catch (error) {
      this.#die(error instanceof Error ? error.message : String(error));
    }
  }

  /** Someone alone saw no picture that could stop, and a second mixer hurts a small server while people join. */
  async #endMixOfOne(): Promise<void> {
    const alone = this.#current;
    if (alone?.seats.length !== 1) return;
    this.#current = undefined;
    await alone.close();
  }

  #onVideo(mixing: Mixing, packet: RtpPacket): void {
    const startsWithKeyFrame = beginsKeyFrame('vp8/90000', packet.payload) === true;
    // Where nothing is shown yet anything is better.
    const mayTakeOver = this.#current === undefined || (mixing.complete && startsWithKeyFrame);
    if (this.#next === mixing && mayTakeOver) this.#takeOver(mixing, startsWithKeyFrame);
    if (this.#current !== mixing) return;
    const nowMs = this.#ground.clock.nowMs();
    for (const seat of mixing.seats) seat.outputs.video.receive(packet, nowMs);
  }

  #onAudio(mixing: Mixing, seat: SeatState, packet: RtpPacket): void {
    const mayTakeOver = mixing.soundOnly && (this.#current === undefined || mixing.complete);
    if (this.#next === mixing && mayTakeOver) this.#takeOver(mixing, false);
    if (this.#current === mixing) seat.outputs.audio.receive(packet, this.#ground.clock.nowMs());
  }

  #takeOver(mixing: Mixing, startsWithKeyFrame: boolean): void {
    const before = this.#current;
    this.#current = mixing;
    this.#next = undefined;
    if (!startsWithKeyFrame) mixing.requestKeyFrame();
    this.#work = this.#work.then(() => before?.close());
  }

  #die(detail: string): void {
    if (this.#ended) return;
    this.#end();
    this.#onDead(detail);
  }

  #end(): void {
    this.#ended = true;
    this.#cancelRegroup?.();
  }
}
