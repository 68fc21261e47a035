import { timestampDistance } from '../../embedded-server/media/rtp.js';

/**
 * How long Chromium keeps a frame of a way that delays none, before it is shown: 27 ms over 14 viewers of one broadcast without loss
 * (`jitterBufferDelay / jitterBufferEmittedCount`; Chromium 156).
 */
const keptMs = 27;
/** The quickest frame of so long, and of up to so long before, says when the others should have come. */
const rememberedMs = 10_000;
const clockRate = 90_000;

/**
 * When a browser would have shown a frame, were it to decode at once: 27 ms behind the quickest frames, by the times that frames have, and
 * at once where that is past. So a frame that is late for less is not shown late.
 */
export class ShownTimes {
  #first: { readonly timestamp: number; readonly atMs: number } | undefined;
  #since = 0;
  #leastMs = Number.POSITIVE_INFINITY;
  #leastBeforeMs = Number.POSITIVE_INFINITY;

  /** `arrivedAtMs`: when the last packet that it needed came. Milliseconds on the same clock. */
  of(timestamp: number, arrivedAtMs: number): number {
    this.#first ??= { timestamp, atMs: arrivedAtMs };
    const { atMs } = this.#first;
    const takenMs = (timestampDistance(this.#first.timestamp, timestamp) * 1000) / clockRate;
    const lateMs = arrivedAtMs - atMs - takenMs;
    if (arrivedAtMs - this.#since > rememberedMs) {
      this.#leastBeforeMs = this.#leastMs;
      this.#leastMs = Number.POSITIVE_INFINITY;
      this.#since = arrivedAtMs;
    }
    this.#leastMs = Math.min(this.#leastMs, lateMs);
    const dueMs = atMs + takenMs + Math.min(this.#leastMs, this.#leastBeforeMs) + keptMs;
    // Long enough before its numbers come round again.
    if (Math.abs(takenMs) > 3_600_000) this.forget();
    return Math.max(arrivedAtMs, dueMs);
  }

  /** Times have begun anew. */
  forget(): void {
    this.#first = undefined;
    this.#leastMs = Number.POSITIVE_INFINITY;
    this.#leastBeforeMs = Number.POSITIVE_INFINITY;
  }
}
