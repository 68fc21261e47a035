/**
 * How long a packet that is handled now may have waited for this process: no longer than the event loop has been at
 * work since it last had nothing to do, because then every socket was empty.
 */
export class LoopLag {
  readonly #idleMs: () => number;
  #idleBeforeMs = 0;
  #readAtMs: number | undefined;
  #lagMs = 0;

  /** `idleMs` counts the time in which the loop has waited for something to do (`performance.nodeTiming.idleTime`). */
  constructor(idleMs: () => number) {
    this.#idleMs = idleMs;
  }

  /** An upper bound, to be read with each packet. */
  read(nowMs: number): number {
    const idleMs = this.#idleMs();
    const idleSinceMs = idleMs - this.#idleBeforeMs;
    const atWorkMs = nowMs - (this.#readAtMs ?? nowMs) - idleSinceMs;
    this.#lagMs = Math.max(0, idleSinceMs > 0 ? atWorkMs : this.#lagMs + atWorkMs);
    this.#idleBeforeMs = idleMs;
    this.#readAtMs = nowMs;
    return this.#lagMs;
  }
}
