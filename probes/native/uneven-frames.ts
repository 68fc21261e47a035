/**
 * How much longer frames are kept where they come unevenly (libwebrtc's JitterEstimator): 2.33 standard deviations of
 * how much later a frame comes than the one before it would have it, less 30 ms, and 1 ms at least.
 */
const deviations = 2.33;
const offsetMs = 30;
const leastMs = 1;
/** A frame counts for 1/n, n of those so far, and never for less than that of one of 400 (at 30 fps). */
const mostCounted = 400;
const usualFps = 30;
/** No single frame counts for more than so many deviations, and half a millisecond. */
const clampDeviations = 3.5;
const clampMs = 0.5;
const firstVariance = 4;
const leastVariance = 1;

/**
 * Of the frames of one stream in the order in which they come; frames that waited for packets to be sent again are none
 * of these.
 */
export class UnevenFrames {
  #last: { readonly lateMs: number; readonly takenMs: number } | undefined;
  #counted = 1;
  #meanMs = 0;
  #variance = firstVariance;

  /** `takenMs` is its time in the stream, `lateMs` how much later than that it came, both against the same frame. */
  note(takenMs: number, lateMs: number): void {
    const last = this.#last;
    if (last && takenMs <= last.takenMs) return;
    this.#last = { takenMs, lateMs };
    if (!last) return;
    const most = clampDeviations * Math.sqrt(this.#variance) + clampMs;
    const laterMs = Math.max(-most, Math.min(most, lateMs - last.lateMs));
    const kept = ((this.#counted - 1) / this.#counted) ** (((takenMs - last.takenMs) * usualFps) / 1000);
    this.#counted = Math.min(mostCounted, this.#counted + 1);
    this.#meanMs = kept * this.#meanMs + (1 - kept) * laterMs;
    this.#variance = Math.max(leastVariance, kept * this.#variance + (1 - kept) * (laterMs - this.#meanMs) ** 2);
  }

  /** Beyond what frames are kept for that come evenly. */
  get keptMs(): number {
    return Math.max(0, deviations * Math.sqrt(this.#variance) - offsetMs - leastMs);
  }

  /** Times have begun anew; what is known of the way stays. */
  beginAnew(): void {
    this.#last = undefined;
  }
}
