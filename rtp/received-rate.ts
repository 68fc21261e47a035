/** Less than this shows too few packets to tell a rate by. */
const leastSeconds = 0.5;

/** What arrives, measured each second: by the time since the last measure, as a process that was held up is late. */
export class ReceivedRate<Stream extends object> {
  readonly #before = new WeakMap<Stream, number>();
  #lastMs: number | undefined;

  /** Of streams, with all bytes of each so far. Undefined: it is too early, and they count to the next measure. */
  since(nowMs: number, streams: readonly (readonly [Stream, number])[]): { seconds: number; bps: number } | undefined {
    const seconds = this.#lastMs === undefined ? 1 : (nowMs - this.#lastMs) / 1000;
    if (seconds < leastSeconds) return undefined;
    this.#lastMs = nowMs;
    let bytes = 0;
    for (const [stream, soFar] of streams) {
      bytes += Math.max(0, soFar - (this.#before.get(stream) ?? 0));
      this.#before.set(stream, soFar);
    }
    return { seconds, bps: (8 * bytes) / seconds };
  }
}
