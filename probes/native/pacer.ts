import type { Clock } from '../../embedded-server/media/egress.js';

/** As libwebrtc: 2.5 times the rate, and what so much time of it carries may leave at once. */
const times = 2.5;
const burstMs = 40;

/** Returns how many bytes have left. */
type Send = () => number;

/** Spreads the video of one connection: a frame of usual size leaves at once, a key frame over some time. Sound does not wait here. */
export class Pacer {
  readonly #clock: Clock;
  readonly #rateBps: () => number;
  #again: Send[] = [];
  #waiting: Send[] = [];
  #debtBytes = 0;
  #atMs: number;
  #cancel: (() => void) | undefined;
  #closed = false;

  constructor(clock: Clock, rateBps: () => number) {
    this.#clock = clock;
    this.#rateBps = rateBps;
    this.#atMs = clock.nowMs();
  }

  push(send: Send): void {
    this.#waiting.push(send);
    this.#drain();
  }

  /** What is sent again goes before what is new. */
  pushAgain(send: Send): void {
    this.#again.push(send);
    this.#drain();
  }

  get bytesPerMs(): number {
    return (times * this.#rateBps()) / 8000;
  }

  #drain(): void {
    if (this.#closed) return;
    const nowMs = this.#clock.nowMs();
    const { bytesPerMs } = this;
    this.#debtBytes = Math.max(0, this.#debtBytes - (nowMs - this.#atMs) * bytesPerMs);
    this.#atMs = nowMs;
    while (this.#debtBytes <= burstMs * bytesPerMs) {
      const next = this.#again.shift() ?? this.#waiting.shift();
      if (!next) return;
      this.#debtBytes += next();
    }
    const left = this.#again.length + this.#waiting.length;
    if (left === 0 || this.#cancel) return;
    this.#cancel = this.#clock.after(Math.max(1, Math.ceil(this.#debtBytes / bytesPerMs - burstMs)), () => {
      this.#cancel = undefined;
      this.#drain();
    });
  }

  close(): void {
    this.#closed = true;
    this.#cancel?.();
    this.#again = [];
    this.#waiting = [];
  }
}
