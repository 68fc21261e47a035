import type { PictureSize } from './video-pieces.js';

/** Of key frames that are coming; others were broken. */
const mostAhead = 4;

/**
 * The size of the pictures of one stream, of what can be decoded: a key frame that comes may be broken, or late.
 */
export class PictureSizes {
  /** Of key frames that have begun, by their timestamps. */
  readonly #ahead = new Map<number, PictureSize>();
  now: PictureSize | undefined;
  /** When they became as wide as they are. */
  newWidthAtMs: number | undefined;

  begins(timestamp: number, size: PictureSize): void {
    if (this.#ahead.size >= mostAhead) this.#ahead.delete(this.#ahead.keys().next().value ?? timestamp);
    this.#ahead.set(timestamp, size);
  }

  decoded(timestamp: number, nowMs: number): void {
    const size = this.#ahead.get(timestamp);
    if (!size) return;
    this.#ahead.delete(timestamp);
    if (size.width !== this.now?.width) this.newWidthAtMs = nowMs;
    this.now = size;
  }
}
