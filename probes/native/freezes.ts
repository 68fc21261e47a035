/** webrtc-stats `freezeCount`: a frame is compared with the mean of so many. */
const frames = 30;
/** Fewer durations say nothing yet. As libwebrtc. */
const framesLeast = 5;
const times = 3;
const addedMs = 150;

/**
 * Freezes by the definition of webrtc-stats (`freezeCount`, `totalFreezesDuration`): a frame that stays for at least
 * three times the mean of the last 30 durations, and at least 150 ms longer than it, its own among them. A native probe
 * shows nothing: the time of a frame is when a browser would have shown it (`ShownTimes`).
 */
export class Freezes {
  readonly #durationsMs: number[] = [];
  #sumMs = 0;
  #lastAtMs: number | undefined;
  count = 0;
  totalMs = 0;
  /** Between all frames (webrtc-stats `totalInterFrameDelay`). */
  betweenMs = 0;

  note(nowMs: number): void {
    const lastAtMs = this.#lastAtMs;
    this.#lastAtMs = nowMs;
    if (lastAtMs === undefined) return;
    const durationMs = nowMs - lastAtMs;
    this.#durationsMs.push(durationMs);
    this.#sumMs += durationMs;
    this.betweenMs += durationMs;
    if (this.#durationsMs.length > frames) this.#sumMs -= this.#durationsMs.shift() ?? 0;
    if (this.#durationsMs.length < framesLeast) return;
    const meanMs = this.#sumMs / this.#durationsMs.length;
    if (durationMs < Math.max(times * meanMs, meanMs + addedMs)) return;
    this.count += 1;
    this.totalMs += durationMs;
  }
}
