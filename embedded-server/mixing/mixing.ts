import type { MediaKind } from '../../model/scenario.js';
import type { Clock } from '../../rtp/egress.js';
import type { KeyFrameTurns } from '../../rtp/key-frame-turns.js';
import { beginsKeyFrame } from '../../rtp/key-frames.js';
import type { RtpPacket } from '../../rtp/rtp.js';
import { KeyFrameRequests } from '../media/key-frame-requests.js';
import { type MixerFormat, mixJitterMs } from './mixer-pipeline.js';
import type { Mixer, MixerListener } from './mixer-process.js';
import type { SeatState } from './seat-state.js';

/** From a member's key frame or voice to its part of the mix: the buffer, and time to decode and draw. */
const drawnMs = mixJitterMs + 150;
/** A member whose key frame does not come is not waited for longer. */
const patienceMs = 2000;
/** A process that plays gives its first packet in a second; it may have to wait for a core. */
const firstPacketMs = 20_000;

/** What a room uses of a mixer's process. */
type RunningMixer = Pick<Mixer, 'sendVideo' | 'sendAudio' | 'requestKeyFrame' | 'close'>;
export type StartMixer = (members: number, listener: MixerListener, format: MixerFormat) => Promise<RunningMixer>;

/** What a room stands on: the server's clock, and turns on the line that its mix leaves by. */
export interface RoomGround {
  readonly clock: Clock;
  readonly keyFrameTurns: KeyFrameTurns;
}

interface MixingListener {
  onVideo(packet: RtpPacket): void;
  onAudio(seat: SeatState, packet: RtpPacket): void;
  onExit(detail: string): void;
}

/** One mixer of a room: the members it was started for, and whether all of them are in what it makes. */
export class Mixing {
  readonly seats: readonly SeatState[];
  /** It makes no picture, because nobody is given one. */
  readonly soundOnly: boolean;
  readonly #clock: Clock;
  /** Members whose key frame has not come since the mixer listens. */
  readonly #awaited = new Set<SeatState>();
  /** Of its own picture: whoever begins to watch begins with one. */
  readonly #keyFrames: KeyFrameRequests;
  #cancels: (() => void)[] = [];
  #mixer: RunningMixer | undefined;
  #playing = false;
  /** All that its members send is in the mix. */
  complete = false;

  constructor({ clock, keyFrameTurns }: RoomGround, seats: readonly SeatState[], soundOnly: boolean) {
    this.#clock = clock;
    this.seats = seats;
    this.soundOnly = soundOnly;
    this.#keyFrames = new KeyFrameRequests(clock, keyFrameTurns, () => this.#mixer?.requestKeyFrame());
  }

  /** Rejects when the process cannot be started. */
  async start(startMixer: StartMixer, format: MixerFormat, listener: MixingListener): Promise<void> {
    const heard: MixerListener = {
      onVideo: (packet) => {
        if (beginsKeyFrame('vp8/90000', packet.payload)) this.#keyFrames.answered();
        listener.onVideo(packet);
      },
      onAudio: (index, packet) => {
        const seat = this.seats[index];
        if (seat !== undefined) listener.onAudio(seat, packet);
      },
      onPlaying: () => this.#listen(),
      onExit: (detail) => listener.onExit(detail),
    };
    this.#mixer = await startMixer(this.seats.length, heard, this.soundOnly ? { ...format, soundOnly: true } : format);
    const late = (): void => {
      if (this.#playing) return;
      void this.close();
      listener.onExit(`it gave nothing in ${firstPacketMs / 1000} s`);
    };
    this.#cancels.push(this.#clock.after(firstPacketMs, late));
  }

  feed(seat: SeatState, kind: MediaKind, packet: RtpPacket): void {
    const index = this.seats.indexOf(seat);
    if (index < 0) return;
    if (kind === 'audio') {
      this.#mixer?.sendAudio(index, packet);
      return;
    }
    if (this.soundOnly) return;
    this.#mixer?.sendVideo(index, packet);
    if (this.#awaited.size === 0 || !beginsKeyFrame('vp8/90000', packet.payload)) return;
    if (this.#awaited.delete(seat) && this.#awaited.size === 0) this.#after(drawnMs);
  }

  requestKeyFrame(): void {
    if (!this.soundOnly) this.#keyFrames.request();
  }

  async close(): Promise<void> {
    for (const cancel of this.#cancels) cancel();
    this.#keyFrames.close();
    await this.#mixer?.close();
  }

  /** Asked earlier, key frames would come before the decoders listen for them. */
  #listen(): void {
    if (this.#playing) return;
    this.#playing = true;
    if (this.soundOnly) {
      this.#after(drawnMs);
      return;
    }
    for (const seat of this.seats) {
      if (seat.sendsVideo) this.#awaited.add(seat);
      seat.askSourceForKeyFrame();
    }
    this.#after(this.#awaited.size === 0 ? 0 : patienceMs);
  }

  #after(ms: number): void {
    const cancel = this.#clock.after(ms, () => {
      if (this.complete) return;
      this.complete = true;
      this.requestKeyFrame();
    });
    this.#cancels.push(cancel);
  }
}
