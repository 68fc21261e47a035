import type { Clock } from '../../rtp/egress.js';

/** A clock that moves when told, running what falls due in order. */
export class HandClock implements Clock {
  #nowMs: number;
  #due: { atMs: number; act: () => void }[] = [];
  timersSet = 0;

  constructor(nowMs = 1000) {
    this.#nowMs = nowMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  after(ms: number, act: () => void): () => void {
    this.timersSet += 1;
    const entry = { atMs: this.#nowMs + ms, act };
    this.#due.push(entry);
    return () => {
      this.#due = this.#due.filter((other) => other !== entry);
    };
  }

  forward(ms: number): void {
    const untilMs = this.#nowMs + ms;
    for (;;) {
      const next = this.#due.sort((a, b) => a.atMs - b.atMs)[0];
      if (next === undefined || next.atMs > untilMs) break;
      this.#due.shift();
      this.#nowMs = next.atMs;
      next.act();
    }
    this.#nowMs = untilMs;
  }
}
