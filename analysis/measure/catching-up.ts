import type { Sample } from '../../model/sample.js';
import { mean } from '../statistics/statistics.js';

/** Sound that waits longer was held up; this is no jitter. Chosen: at rest, buffers had 20 to 120 ms. */
const longMs = 200;
/** Sound is played by up to a twentieth faster: buffers of Chromium shrank by 44 ms a second. */
export const catchUpShare = 0.044;
const shrinkingMs = 40;
const spanSeconds = 4;
/** What has told nothing for so long is gone. */
const memoryMs = 5_000;

interface Buffer {
  atMs: number;
  /** Of the last 8 s, oldest first. */
  readonly lastMs: number[];
}

/**
 * Received sound that still catches up: what was held up while others joined waits in the jitter buffer (webrtc-stats
 * `jitterBufferDelay`), and is played a little faster until it has caught up. A buffer of over 200 ms that shrinks by
 * 40 ms from one span of 4 s to the next is not at rest; one that is as long as it was is.
 */
export class CatchingUp {
  /** Of long ones alone. */
  readonly #long = new Map<string, Buffer>();

  add({ probe, atMs, streams }: Sample): void {
    for (const one of streams) {
      if (one.kind !== 'audio' || one.direction !== 'receive') continue;
      const bufferMs = one.metrics.jitterBufferMs ?? 0;
      if (bufferMs <= longMs && this.#long.size === 0) continue;
      const key = JSON.stringify([probe, one.leg, one.stream]);
      if (bufferMs > longMs) this.#note(key, atMs, bufferMs);
      else this.#long.delete(key);
    }
  }

  #note(key: string, atMs: number, bufferMs: number): void {
    const buffer = this.#long.get(key) ?? { atMs, lastMs: [] };
    buffer.atMs = atMs;
    buffer.lastMs.push(bufferMs);
    if (buffer.lastMs.length > 2 * spanSeconds) buffer.lastMs.shift();
    this.#long.set(key, buffer);
  }

  /** One that became long less than 8 s ago is taken to shrink. */
  isAny(nowMs: number): boolean {
    for (const { atMs, lastMs } of this.#long.values())
      if (nowMs - atMs < memoryMs && (lastMs.length < 2 * spanSeconds || isShrinking(lastMs))) return true;
    return false;
  }
}

function isShrinking(lastMs: readonly number[]): boolean {
  const [before, now] = [mean(lastMs.slice(0, spanSeconds)) ?? 0, mean(lastMs.slice(spanSeconds)) ?? 0];
  return now < before - shrinkingMs;
}
