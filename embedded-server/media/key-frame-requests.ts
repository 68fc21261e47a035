import type { Clock } from '../../rtp/egress.js';
import type { KeyFrameTurns } from '../../rtp/key-frame-turns.js';

/** Two key frame requests to one sender are at least this far apart: key frames are large. */
const keyFrameGapMs = 400;
/** A request may be lost, and so may the key frame: it is asked for again until one has begun. As mediasoup waits. */
const keyFrameRepeatMs = 1000;
/** Whoever waits for a turn looks so often. */
const turnLookMs = 50;

/** The next time that the sender is asked. */
interface Asking {
  readonly atMs: number;
  readonly cancel: () => void;
  /** Of one that waits for a turn: since when. */
  readonly waitsSinceMs: number | undefined;
}

/** Asks one sender for key frames: many requests at once are one, and one that is not answered is made again. */
export class KeyFrameRequests {
  readonly #clock: Clock;
  readonly #send: () => void;
  readonly #turns: KeyFrameTurns;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  #next: Asking | undefined;
  #closed = false;
  count = 0;

  constructor(clock: Clock, turns: KeyFrameTurns, send: () => void) {
    this.#clock = clock;
    this.#turns = turns;
    this.#send = send;
  }

  /** Sent at once, or at the end of the gap since the last one. */
  request(): void {
    if (this.#next?.waitsSinceMs !== undefined) return;
    const nowMs = this.#clock.nowMs();
    if (this.#askedAtMs + keyFrameGapMs <= nowMs) this.#ask(nowMs);
    else this.#askAt(this.#askedAtMs + keyFrameGapMs, nowMs);
  }

  /** A key frame has begun: whoever asked before gets it. */
  answered(): void {
    this.#turns.leave(this);
    this.#cancel();
  }

  close(): void {
    this.#closed = true;
    this.answered();
  }

  #ask(nowMs: number, sinceMs = nowMs): void {
    if (this.#closed) return;
    this.#cancel();
    if (!this.#turns.take(this, sinceMs, nowMs)) {
      this.#askAt(nowMs + turnLookMs, nowMs, sinceMs);
      return;
    }
    this.#askedAtMs = nowMs;
    this.count += 1;
    this.#send();
    this.#askAt(nowMs + keyFrameRepeatMs, nowMs);
  }

  #cancel(): void {
    this.#next?.cancel();
    this.#next = undefined;
  }

  #askAt(atMs: number, nowMs: number, waitsSinceMs?: number): void {
    if (this.#closed || (this.#next !== undefined && this.#next.atMs <= atMs)) return;
    this.#cancel();
    const act = (): void => {
      this.#next = undefined;
      this.#ask(this.#clock.nowMs(), waitsSinceMs);
    };
    this.#next = { atMs, cancel: this.#clock.after(atMs - nowMs, act), waitsSinceMs };
  }
}
