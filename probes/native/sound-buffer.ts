import { timestampDistance } from '../../rtp/rtp.js';
import { DelayTarget } from './delay-target.js';

/** A player begins so long after the first packet has come (libwebrtc's NetEq, kStartDelayMs). */
const startDelayMs = 80;
/** What is missing is made up in steps of the player's clock. */
const stepMs = 10;
/**
 * How fast a buffer that is too full, or too empty, comes back: measured of Chromium (docs/lab/measuring.md,
 * Settling).
 */
const catchUpPerMs = 0.044;
/** The buffer is emptied when more than this waits: 200 packets of 20 ms (NetEq, max_packets_in_buffer). */
const mostWaitingMs = 4000;
/** The level that is compared with the target is a running mean over some 25 packets. */
const levelShare = 0.04;
/** A sender's pause begins with a packet so small (libopus: "need not be transmitted"). */
const pauseBytes = 2;
/** A jump of times further than this is a sender that began anew. */
const farMs = 60_000;

/**
 * What a player would have heard of a stream of sound, from when its packets came: a model of a receiver's buffer
 * (NetEq as it is described in libwebrtc's own pages, docs/lab/native-behaviour.md). Playing runs by the clock: what
 * has not come by its time is made up. A packet that comes late and is the next one is played then, and all behind it
 * as much later; one that is missing is skipped; one that comes after later ones were played is thrown away. A buffer
 * that is fuller or emptier than its target is played a little faster or slower.
 *
 * All times are milliseconds of the clock that says when packets came.
 */
export class SoundBuffer {
  readonly #target = new DelayTarget();
  readonly #ticksPerMs: number;
  /** Of the last packet in order: its place, its time in the stream, how much sound it carries. */
  #highest = -1;
  #timestamp = 0;
  #mediaMs = 0;
  #packetMs = 20;
  #isPause = false;
  /** What is at `m` in the stream is played at `m + #offsetMs`. */
  #offsetMs = Number.NaN;
  #startedMs = Number.NaN;
  #lastMs = 0;
  #levelMs = 0;
  /** Until when what was missing is counted already, and whether that goes on. */
  #countedMs = 0;
  #isMakingUp = false;
  /** The last one that was passed over. */
  #lastPassed = Number.NaN;
  /** Those that are missing and whose time has not come: place, and time in the stream. */
  readonly #missing = new Map<number, number>();
  concealedMs = 0;
  concealmentEvents = 0;
  discarded = 0;
  /** Of the sound that came: how long it is, and that by how long each of it waited. */
  emittedMs = 0;
  waited = 0;

  constructor(clockRate: number) {
    this.#ticksPerMs = clockRate / 1000;
  }

  /** How long there has been something to play. */
  playedMs(nowMs: number): number {
    return Number.isNaN(this.#startedMs) ? 0 : Math.max(0, nowMs - this.#startedMs);
  }

  /** How long sound is kept that came as quickly as any of late. */
  get keptMs(): number {
    return Number.isNaN(this.#offsetMs) ? 0 : this.#offsetMs - this.#target.quickestMs;
  }

  /** One that is no duplicate. `extended`: its place on a line that does not wrap. */
  take(extended: number, timestamp: number, payloadBytes: number, nowMs: number): void {
    if (this.#highest < 0) this.#begin(timestamp, nowMs);
    else if (extended <= this.#highest) {
      this.#comesLate(extended, nowMs);
      return;
    } else this.#comesNext(extended, timestamp, nowMs);
    this.#highest = extended;
    this.#timestamp = timestamp;
    this.#isPause = payloadBytes <= pauseBytes;
    this.#wait(nowMs);
    this.#adapt(nowMs);
  }

  /** What was to be played until now and has not come, is made up: to be called before anything is read. */
  until(nowMs: number): void {
    if (Number.isNaN(this.#offsetMs)) return;
    if (this.#missing.size > 0) this.#passMissing(nowMs);
    const dryMs = Math.max(this.#countedMs, this.#mediaMs + this.#packetMs + this.#offsetMs);
    if (nowMs <= dryMs || this.#isPause) return;
    this.#makeUp(nowMs - dryMs);
    this.#countedMs = nowMs;
  }

  /** Times have begun anew. What is counted stays. */
  forget(): void {
    this.#highest = -1;
    this.#offsetMs = Number.NaN;
    this.#missing.clear();
    this.#isMakingUp = false;
    this.#target.forget();
  }

  #begin(timestamp: number, nowMs: number): void {
    this.#timestamp = timestamp;
    this.#mediaMs = 0;
    this.#offsetMs = nowMs + startDelayMs;
    if (Number.isNaN(this.#startedMs)) this.#startedMs = nowMs + startDelayMs;
    this.#countedMs = nowMs;
    this.#lastMs = nowMs;
    this.#levelMs = startDelayMs;
    this.#target.note(0, nowMs);
  }

  #comesNext(extended: number, timestamp: number, nowMs: number): void {
    const beforeMs = this.#mediaMs;
    const mediaMs = beforeMs + timestampDistance(this.#timestamp, timestamp) / this.#ticksPerMs;
    const skipped = extended - this.#highest - 1;
    if (Math.abs(mediaMs - beforeMs) > farMs) {
      this.#beginAnew(timestamp, nowMs);
      return;
    }
    const expectedMs = beforeMs + this.#packetMs;
    this.#mediaMs = mediaMs;
    this.#target.note(mediaMs, nowMs);
    if (skipped === 0) this.#packetMs = packetLength(mediaMs - beforeMs, this.#packetMs);
    else this.#missAll(skipped, expectedMs, mediaMs);
    if (this.#missing.size > 0) this.#passMissing(nowMs);
    const dryMs = Math.max(this.#countedMs, (skipped === 0 ? expectedMs : mediaMs) + this.#offsetMs);
    const isPaused = this.#isPause || (skipped === 0 && mediaMs - expectedMs > this.#packetMs);
    this.#isPause = false;
    if (nowMs > mediaMs + this.#offsetMs) {
      // What has not come by its time is played when it comes, and so is all behind it.
      if (!isPaused && nowMs > dryMs) this.#makeUp(stepMs * Math.ceil((nowMs - dryMs) / stepMs));
      this.#offsetMs = nowMs - mediaMs;
    }
    this.#isMakingUp = false;
  }

  #beginAnew(timestamp: number, nowMs: number): void {
    this.#missing.clear();
    this.#target.forget();
    this.#begin(timestamp, nowMs);
    this.#isMakingUp = false;
  }

  #comesLate(extended: number, nowMs: number): void {
    const mediaMs = this.#missing.get(extended);
    if (mediaMs !== undefined && nowMs <= mediaMs + this.#offsetMs) this.#missing.delete(extended);
    else this.discarded += 1;
  }

  #missAll(skipped: number, fromMs: number, toMs: number): void {
    const eachMs = (toMs - fromMs) / skipped;
    const first = this.#highest + 1;
    for (let nth = 0; nth < skipped && nth < mostWaitingMs / stepMs; nth += 1)
      this.#missing.set(first + nth, fromMs + nth * eachMs);
  }

  /** Those whose time is over are made up; such as stand beside each other are one stretch. */
  #passMissing(nowMs: number): void {
    for (const [extended, mediaMs] of this.#missing) {
      if (mediaMs + this.#offsetMs > nowMs) break;
      this.#missing.delete(extended);
      const isNext = this.#isMakingUp || extended === this.#lastPassed + 1;
      this.#lastPassed = extended;
      // In a dry buffer they were made up already.
      if (this.#countedMs >= mediaMs + this.#offsetMs + this.#packetMs) continue;
      this.concealedMs += this.#packetMs;
      if (!isNext) this.concealmentEvents += 1;
    }
  }

  #makeUp(ms: number): void {
    this.concealedMs += ms;
    if (!this.#isMakingUp) this.concealmentEvents += 1;
    this.#isMakingUp = true;
  }

  #wait(nowMs: number): void {
    const waitMs = Math.max(0, this.#mediaMs + this.#offsetMs - nowMs);
    if (waitMs > mostWaitingMs) {
      this.discarded += Math.round(waitMs / this.#packetMs);
      this.#offsetMs = nowMs - this.#mediaMs + this.#target.ms;
      this.#levelMs = this.#target.ms;
      return;
    }
    this.#levelMs += levelShare * (waitMs - this.#levelMs);
    this.waited += waitMs * this.#packetMs;
    this.emittedMs += this.#packetMs;
  }

  #adapt(nowMs: number): void {
    const most = catchUpPerMs * Math.min(1000, Math.max(0, nowMs - this.#lastMs));
    this.#lastMs = nowMs;
    const { lowMs, highMs } = this.#target;
    const by = this.#levelMs > highMs ? Math.max(-most, highMs - this.#levelMs) : Math.min(most, lowMs - this.#levelMs);
    if (this.#levelMs <= highMs && this.#levelMs >= lowMs) return;
    this.#offsetMs += by;
    this.#levelMs += by;
  }
}

/** Packets are 10 to 120 ms long (RFC 7587); a longer distance is a pause. */
function packetLength(distanceMs: number, beforeMs: number): number {
  return distanceMs >= stepMs && distanceMs <= 120 ? distanceMs : beforeMs;
}
