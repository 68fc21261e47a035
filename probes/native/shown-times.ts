import { timestampDistance } from '../../rtp/rtp.js';
import { UnevenFrames } from './uneven-frames.js';

/**
 * How long Chromium keeps a frame of a way that delays none, before it is shown: 27 ms over 14 viewers of one broadcast
 * without loss (`jitterBufferDelay / jitterBufferEmittedCount`; Chromium 156).
 */
const keptMs = 27;
/**
 * libwebrtc's JitterEstimator (kNackLimit, kNackCountTimeout): once packets of so many frames came only when they were
 * asked for, frames are kept for a round trip more, until none was asked for in so long.
 */
const askedFramesMost = 3;
const askedRememberedMs = 60_000;
/**
 * Pictures are kept until the sound of their stream is played (libwebrtc's StreamSynchronization). In nine trials on
 * servers short of CPU browsers kept them for 42 to 196 ms less than sound, some 100 in the mean (Chromium 156).
 */
const behindSoundMs = 100;
/** libwebrtc's VCMTiming (kDelayMaxChangeMsPerS): how fast the delay of frames may change while none is late. */
const changeMsPerSecond = 100;
/** The quickest frame of so long, and of up to so long before, says when the others should have come. */
const rememberedMs = 10_000;
const clockRate = 90_000;

/**
 * When a browser would have shown a frame, were it to decode at once: 27 ms behind the quickest frames, by the times
 * that frames have, and at once where that is past. So a frame that is late for less is not shown late. Where frames
 * come unevenly, it is more by what libwebrtc allows for that. Where frames wait for packets to be sent again, and the
 * round trip is known, it is that much more: what is repaired within one is not seen. Where sound is kept for long, so
 * are pictures.
 */
export class ShownTimes {
  #first: { readonly timestamp: number; readonly atMs: number } | undefined;
  #since = 0;
  #leastMs = Number.POSITIVE_INFINITY;
  #leastBeforeMs = Number.POSITIVE_INFINITY;
  #keptMs = keptMs;
  #takenMs = 0;
  #askedFrames = 0;
  #asked: { readonly timestamp: number; readonly atMs: number } | undefined;
  #uneven = new UnevenFrames();

  /** A packet of the frame of this time has come that had been asked for. */
  noteAskedFor(timestamp: number, nowMs: number): void {
    if (this.#asked?.timestamp !== timestamp) this.#askedFrames += 1;
    this.#asked = { timestamp, atMs: nowMs };
  }

  /**
   * The last packet of the frame of this time has come. As libwebrtc, which tells its JitterEstimator when a frame's
   * own packets came: one that then waits for an earlier frame to be repaired did not come late.
   */
  noteWhole(timestamp: number, nowMs: number): void {
    if (this.#asked?.timestamp === timestamp) return;
    const { takenMs, lateMs } = this.#placed(timestamp, nowMs);
    this.#uneven.note(takenMs, lateMs);
  }

  /** Against the first frame. */
  #placed(timestamp: number, nowMs: number) {
    this.#first ??= { timestamp, atMs: nowMs };
    const { atMs } = this.#first;
    const takenMs = (timestampDistance(this.#first.timestamp, timestamp) * 1000) / clockRate;
    return { atMs, takenMs, lateMs: nowMs - atMs - takenMs };
  }

  /**
   * `arrivedAtMs`: when it could be decoded, on the same clock. `roundTripMs`: where a browser would know it.
   * `soundMs`: how long sound of the same stream is kept.
   */
  of(timestamp: number, arrivedAtMs: number, roundTripMs = 0, soundMs = 0): number {
    const { takenMs, lateMs } = this.#placed(timestamp, arrivedAtMs);
    if (arrivedAtMs - this.#since > rememberedMs) {
      this.#leastBeforeMs = this.#leastMs;
      this.#leastMs = Number.POSITIVE_INFINITY;
      this.#since = arrivedAtMs;
    }
    this.#leastMs = Math.min(this.#leastMs, lateMs);
    const isRepaired = this.#asked?.timestamp === timestamp;
    const ownMs = keptMs + this.#uneven.keptMs + this.#repairMs(arrivedAtMs, roundTripMs);
    const wantedMs = Math.max(ownMs, soundMs - behindSoundMs);
    this.#approach(wantedMs, takenMs);
    const dueMs = this.dueMs(timestamp, arrivedAtMs);
    if (arrivedAtMs > dueMs && !isRepaired)
      this.#keptMs = Math.max(this.#keptMs, Math.min(wantedMs, this.#keptMs + arrivedAtMs - dueMs));
    // Long enough before its numbers come round again.
    if (Math.abs(takenMs) > 3_600_000) this.#beginAnew();
    return Math.max(arrivedAtMs, dueMs);
  }

  /** Until when a frame of this time is kept where it does not come later; before any was shown, until `nowMs`. */
  dueMs(timestamp: number, nowMs: number): number {
    const { atMs, takenMs } = this.#placed(timestamp, nowMs);
    const leastMs = Math.min(this.#leastMs, this.#leastBeforeMs);
    return leastMs === Number.POSITIVE_INFINITY ? nowMs : atMs + takenMs + leastMs + this.#keptMs;
  }

  #repairMs(nowMs: number, roundTripMs: number): number {
    if (this.#asked && nowMs - this.#asked.atMs > askedRememberedMs) {
      this.#askedFrames = 0;
      this.#asked = undefined;
    }
    return this.#askedFrames >= askedFramesMost ? roundTripMs : 0;
  }

  #approach(wantedMs: number, takenMs: number): void {
    const step = (changeMsPerSecond * Math.max(0, takenMs - this.#takenMs)) / 1000;
    this.#takenMs = takenMs;
    this.#keptMs += Math.max(-step, Math.min(step, wantedMs - this.#keptMs));
  }

  #beginAnew(): void {
    this.#first = undefined;
    this.#takenMs = 0;
    this.#leastMs = Number.POSITIVE_INFINITY;
    this.#leastBeforeMs = Number.POSITIVE_INFINITY;
    this.#uneven.beginAnew();
  }

  /** Times have begun anew. */
  forget(): void {
    this.#beginAnew();
    this.#keptMs = keptMs;
    this.#uneven = new UnevenFrames();
    this.#askedFrames = 0;
    this.#asked = undefined;
  }
}
