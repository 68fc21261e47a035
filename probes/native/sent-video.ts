import { startBeat } from '../../rtp/beat.js';
import type { Clock } from '../../rtp/egress.js';
import type { Clip } from '../page/encoded/clip-file.js';
import { ClipPlayer } from '../page/encoded/clip-player.js';
import { RungChoice, rungFor, shareGivenWay } from '../page/encoded/rungs.js';
import type { FramePackets } from './frame-packets.js';
import type { Pacer } from './pacer.js';
import type { SentStream } from './sent-stream.js';

const clockRate = 90_000;
/**
 * While pictures wait for longer to leave, no further one is taken: many requests for key frames are more than the rate
 * carries, and an encoder leaves out frames then. The clip goes on where it was, so that what follows can be decoded.
 */
const waitingMostMs = 200;
/** As libwebrtc: requests for key frames are answered no sooner after each other. */
const keyFrameGapMs = 300;

interface SentVideoOptions {
  readonly clip: Clip;
  readonly clock: Clock;
  readonly stream: SentStream;
  readonly pacer: Pacer;
  readonly cut: FramePackets;
  /** What may be sent at first, kbit/s; zero: it is left out. */
  readonly startKbps: number;
}

/** Plays the clip, or that of a layer, to one stream, a frame each 33 ms, at the rate that is allowed. */
export class SentVideo {
  readonly #options: SentVideoOptions;
  readonly #player: ClipPlayer;
  readonly #choice: RungChoice;
  readonly #end: () => void;
  #wantsKey = true;
  #keyAtMs = Number.NEGATIVE_INFINITY;
  /** Of the camera, sent or left out. */
  #taken = 0;
  /** Of layers, one for which too little is allowed is left out. */
  isOn: boolean;
  #resentBefore = { packets: 0, resent: 0 };
  #secondBefore: { readonly atMs: number; readonly frames: number };
  framesSent = 0;
  keyFrames = 0;
  /** Frames that this process took of the clip in the second before; a camera that is held up gives fewer. */
  sourceFps: number | undefined;

  constructor(options: SentVideoOptions) {
    this.#options = options;
    const { clip, clock, startKbps } = options;
    this.isOn = startKbps > 0;
    const rungs = clip.rungs.map(({ kbps }) => kbps);
    const rung = rungFor(startKbps, rungs);
    this.#player = new ClipPlayer(clip.rungs, rung);
    this.#choice = new RungChoice(rungs, rung);
    this.#secondBefore = { atMs: clock.nowMs(), frames: 0 };
    // Of frames that were missed the last is taken alone, as of a camera.
    this.#end = startBeat(clock, 1000 / clip.framesPerSecond, (_, last) => this.#frame(last));
  }

  /** The next frame is a key frame. */
  requestKeyFrame(): void {
    this.#wantsKey = true;
  }

  get kbps(): number {
    return this.isOn ? this.#player.kbps : 0;
  }

  /** Whether the clip has no lower rate. */
  get isLowest(): boolean {
    return this.kbps <= (this.#options.clip.rungs[0]?.kbps ?? 0);
  }

  get clip(): Clip {
    return this.#options.clip;
  }

  get stream(): SentStream {
    return this.#options.stream;
  }

  /** To be called each second, with what may be sent of the picture, kbit/s; zero: it is left out. */
  eachSecond(allowedKbps: number): void {
    const { clock, stream } = this.#options;
    const { packets, resentPackets: resent } = stream;
    const share = shareGivenWay(packets - this.#resentBefore.packets, resent - this.#resentBefore.resent);
    this.#resentBefore = { packets, resent };
    this.#turn(allowedKbps);
    if (this.isOn) this.#player.want(this.#choice.choose(allowedKbps * (1 - share)));
    const nowMs = clock.nowMs();
    const seconds = (nowMs - this.#secondBefore.atMs) / 1000;
    if (seconds > 0) this.sourceFps = (this.#taken - this.#secondBefore.frames) / seconds;
    this.#secondBefore = { atMs: nowMs, frames: this.#taken };
  }

  /** To be called when less may be allowed than in the last second, kbit/s. */
  giveWay(allowedKbps: number): void {
    this.#turn(allowedKbps);
    if (this.isOn) this.#player.want(this.#choice.fall(allowedKbps));
  }

  /** What comes back begins with a key frame, at the rate that is allowed. */
  #turn(allowedKbps: number): void {
    const isOn = allowedKbps > 0;
    if (isOn && !this.isOn) {
      this.#wantsKey = true;
      this.#player.want(this.#choice.jump(allowedKbps));
    }
    this.isOn = isOn;
  }

  #frame(nth: number): void {
    const { clip, clock, stream, pacer, cut } = this.#options;
    const nowMs = clock.nowMs();
    this.#taken += 1;
    if (!this.isOn) return;
    if (stream.waitingBytes > waitingMostMs * pacer.bytesPerMs) return;
    const isKey = this.#wantsKey && nowMs - this.#keyAtMs >= keyFrameGapMs;
    if (isKey) {
      this.#wantsKey = false;
      this.#keyAtMs = nowMs;
    }
    const { data, nth: inChain } = this.#player.play(isKey ? 'key' : 'delta');
    if (this.#player.asksForKeyFrame()) this.#wantsKey = true;
    const parts = cut.cut(data, inChain);
    if (!stream.hasRoom(parts.length)) {
      // What follows it could not be decoded.
      this.#wantsKey = true;
      return;
    }
    const ticks = Math.round((nth * clockRate) / clip.framesPerSecond);
    stream.taken(ticks, nowMs);
    for (let at = 0; at < parts.length; at += 1) {
      stream.place(cut.head(at === 0), parts[at] ?? data, at === parts.length - 1, ticks);
      pacer.push(stream.sendNext);
    }
    this.framesSent += 1;
    if (isKey) this.keyFrames += 1;
  }

  close(): void {
    this.#end();
  }
}
