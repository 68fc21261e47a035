/** As NetEq: a relative delay is counted from the quickest packet of so much of the stream. */
const historyMs = 2000;
/** The longest of so long is one entry of the histogram. */
const resampleMs = 500;
/** Of the histogram: buckets of 20 ms, what each entry leaves of those before, and the quantile that is kept for. */
const bucketMs = 20;
const buckets = 100;
const forgetting = 0.983;
const quantile = 0.95;
const startWeight = 2;

/** Length of a sound buffer: a high quantile of packets' lateness against the quickest, by a forgetful histogram. */
export class DelayTarget {
  readonly #shares = new Float64Array(buckets);
  #entries = 0;
  #quickestNowMs = Number.POSITIVE_INFINITY;
  #quickestBeforeMs = Number.POSITIVE_INFINITY;
  #historySinceMs = 0;
  #longestMs = 0;
  #sinceMs = Number.NaN;
  ms = bucketMs;

  /** One at `mediaMs` of its stream has come; returns how late it is, beside the quickest. */
  note(mediaMs: number, nowMs: number): number {
    const takenMs = nowMs - mediaMs;
    if (mediaMs - this.#historySinceMs > historyMs / 2) {
      this.#historySinceMs = mediaMs;
      this.#quickestBeforeMs = this.#quickestNowMs;
      this.#quickestNowMs = Number.POSITIVE_INFINITY;
    }
    this.#quickestNowMs = Math.min(this.#quickestNowMs, takenMs);
    const lateMs = takenMs - this.quickestMs;
    this.#longestMs = Math.max(this.#longestMs, lateMs);
    if (Number.isNaN(this.#sinceMs)) this.#sinceMs = nowMs;
    if (nowMs - this.#sinceMs >= resampleMs) this.#enter(nowMs);
    return lateMs;
  }

  /** How long the quickest one of late took, by the clocks of both ends. */
  get quickestMs(): number {
    return Math.min(this.#quickestNowMs, this.#quickestBeforeMs);
  }

  /** Played faster above, and slower below. */
  get highMs(): number {
    return Math.max(this.ms, this.lowMs + bucketMs);
  }

  get lowMs(): number {
    return Math.max(0.75 * this.ms, this.ms - 85);
  }

  forget(): void {
    this.#quickestNowMs = Number.POSITIVE_INFINITY;
    this.#quickestBeforeMs = Number.POSITIVE_INFINITY;
    this.#historySinceMs = 0;
  }

  #enter(nowMs: number): void {
    this.#sinceMs = nowMs;
    this.#entries += 1;
    // Its first entries weigh as much as a mean of them.
    const kept = Math.min(forgetting, Math.max(0, 1 - startWeight / (this.#entries + 1)));
    const bucket = Math.min(buckets - 1, Math.floor(this.#longestMs / bucketMs));
    for (let nth = 0; nth < buckets; nth += 1)
      this.#shares[nth] = kept * (this.#shares[nth] ?? 0) + (nth === bucket ? 1 - kept : 0);
    this.#longestMs = 0;
    let sum = 0;
    let at = 0;
    while (at < buckets - 1) {
      sum += this.#shares[at] ?? 0;
      if (sum >= quantile) break;
      at += 1;
    }
    this.ms = (at + 1) * bucketMs;
  }
}
