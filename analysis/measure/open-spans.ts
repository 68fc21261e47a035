/** A span of loss that what comes later may still change. */
export interface OpenSpan {
  readonly fromMs: number;
  readonly toMs: number;
  readonly lost: number;
  readonly expected: number;
  readonly resentApart: boolean;
  readonly hidden: number;
  /** Taken off as repaired. */
  readonly repaired: number;
  /** What came in it on the SSRC for resending. */
  readonly resent: number;
  /** NACK packets that were sent in it; absent where that is not known. */
  readonly asked: number | undefined;
}

/** Numbers of one span. */
const width = 9;

/**
 * The open spans of one stream, oldest first, as numbers in one list, for the reason that `SpanQueue` has: each is open
 * for two seconds.
 */
export class OpenSpans {
  private readonly numbers: number[] = [];
  private count = 0;

  get length(): number {
    return this.count;
  }

  push({ fromMs, toMs, lost, expected, resentApart, asked = Number.NaN, hidden, repaired, resent }: OpenSpan): void {
    const { numbers } = this;
    const at = this.count * width;
    numbers[at] = fromMs;
    numbers[at + 1] = toMs;
    numbers[at + 2] = lost;
    numbers[at + 3] = expected;
    numbers[at + 4] = resentApart ? 1 : 0;
    numbers[at + 5] = asked;
    numbers[at + 6] = hidden;
    numbers[at + 7] = repaired;
    numbers[at + 8] = resent;
    this.count += 1;
  }

  /** How many of the oldest are over: the first that is not was counted apart from resending, and ended after this. */
  overBy(ms: number): number {
    let over = 0;
    while (over < this.count && (this.numbers[over * width + 4] !== 1 || (this.toMs(over) ?? 0) <= ms)) over += 1;
    return over;
  }

  /** `undefined` where there is none. */
  toMs(index: number): number | undefined {
    return index >= 0 && index < this.count ? this.numbers[index * width + 1] : undefined;
  }

  all(): OpenSpan[] {
    return Array.from({ length: this.count }, (_, index) => this.at(index));
  }

  /** In place of those that are there. */
  put(spans: readonly OpenSpan[]): void {
    this.count = 0;
    for (const span of spans) this.push(span);
  }

  /** The oldest, which are no longer open. */
  take(count: number): OpenSpan[] {
    const { numbers } = this;
    const taken = Array.from({ length: count }, (_, index) => this.at(index));
    for (let at = count * width; at < this.count * width; at += 1) numbers[at - count * width] = numbers[at] ?? 0;
    this.count -= count;
    return taken;
  }

  private at(index: number): OpenSpan {
    const { numbers } = this;
    const at = index * width;
    const asked = numbers[at + 5] ?? Number.NaN;
    return {
      fromMs: numbers[at] ?? 0,
      toMs: numbers[at + 1] ?? 0,
      lost: numbers[at + 2] ?? 0,
      expected: numbers[at + 3] ?? 0,
      resentApart: numbers[at + 4] === 1,
      asked: Number.isNaN(asked) ? undefined : asked,
      hidden: numbers[at + 6] ?? 0,
      repaired: numbers[at + 7] ?? 0,
      resent: numbers[at + 8] ?? 0,
    };
  }
}
