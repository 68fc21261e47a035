import { type Timer, type TimerClock, timerOf } from '../../rtp/timer.js';

/** As libwebrtc: 2.5 times the rate, and what so much time of it carries may leave at once. */
const times = 2.5;
const burstMs = 40;
/** Gap between packets of one picture, as from a browser (0.05 to 0.3 ms): reading two at once costs a server less. */
const packetMs = 0.2;
/** What a time and a span added to it may be off. */
const roundingMs = 0.001;

/** Returns how many bytes have left. */
type Send = () => number;

/** Spreads the video of one connection: usual frames leave at once, key frames over time. Sound does not wait. */
export class Pacer {
  readonly #clock: TimerClock;
  readonly #timer: Timer;
  readonly #rateBps: () => number;
  #again: Send[] = [];
  #waiting: Send[] = [];
  #debtBytes = 0;
  #atMs: number;
  /** When the next one may follow the last. */
  #freeAtMs: number;
  #isWaiting = false;
  /** They wait for what has left to be paid, and not for each other alone. */
  #isPaying = false;
  #closed = false;

  constructor(clock: TimerClock, rateBps: () => number) {
    this.#clock = clock;
    this.#timer = timerOf(clock, () => this.#goOn());
    this.#rateBps = rateBps;
    this.#atMs = clock.nowMs();
    this.#freeAtMs = this.#atMs;
  }

  push(send: Send): void {
    this.#add(this.#waiting, send);
  }

  /** What is sent again goes before what is new. */
  pushAgain(send: Send): void {
    this.#add(this.#again, send);
  }

  #add(queue: Send[], send: Send): void {
    const nowMs = this.#clock.nowMs();
    if (this.#left === 0) this.#freeAtMs = Math.max(this.#freeAtMs, nowMs);
    queue.push(send);
    this.#drain(nowMs);
  }

  get #left(): number {
    return this.#again.length + this.#waiting.length;
  }

  get bytesPerMs(): number {
    return (times * this.#rateBps()) / 8000;
  }

  #drain(nowMs: number): void {
    if (this.#closed) return;
    const { bytesPerMs } = this;
    this.#debtBytes = Math.max(0, this.#debtBytes - (nowMs - this.#atMs) * bytesPerMs);
    this.#atMs = nowMs;
    while (this.#debtBytes <= burstMs * bytesPerMs && this.#freeAtMs <= nowMs + roundingMs) {
      const next = this.#again.shift() ?? this.#waiting.shift();
      if (!next) return;
      this.#debtBytes += next();
      // By a late timer, those that should have followed meanwhile do at once.
      this.#freeAtMs += packetMs;
    }
    if (this.#left === 0 || this.#isWaiting) return;
    const paidAfterMs = Math.ceil(this.#debtBytes / bytesPerMs - burstMs);
    this.#isPaying = paidAfterMs > 0;
    this.#isWaiting = true;
    this.#timer.set(this.#isPaying ? nowMs + paidAfterMs : this.#freeAtMs);
  }

  #goOn(): void {
    const nowMs = this.#clock.nowMs();
    this.#isWaiting = false;
    if (this.#isPaying) this.#freeAtMs = Math.max(this.#freeAtMs, nowMs);
    this.#drain(nowMs);
  }

  close(): void {
    this.#closed = true;
    this.#timer.clear();
    this.#again = [];
    this.#waiting = [];
  }
}
