import type { LossSpan } from './loss-spans.js';

/** Numbers of one span. */
const width = 6;

/**
 * The last spans of one stream, oldest first, as numbers in one list that is used again and again: as objects those of
 * ten thousand probes would each live for some seconds, which is what garbage collectors are worst at.
 */
export class SpanQueue {
  private numbers: number[] = [];
  private count = 0;

  get length(): number {
    return this.count;
  }

  push({ fromMs, toMs, lost, expected, resentApart, hidden = 0 }: LossSpan): void {
    const { numbers } = this;
    const at = this.count * width;
    numbers[at] = fromMs;
    numbers[at + 1] = toMs;
    numbers[at + 2] = lost;
    numbers[at + 3] = expected;
    numbers[at + 4] = resentApart ? 1 : 0;
    numbers[at + 5] = hidden;
    this.count += 1;
  }

  dropFirst(): void {
    const { numbers } = this;
    // Of a few dozen numbers: copyWithin is made for typed ones, and slow here.
    for (let at = width; at < this.count * width; at += 1) numbers[at - width] = numbers[at] ?? 0;
    this.count -= 1;
  }

  /** To be asked for spans that are there alone. */
  at(index: number): LossSpan {
    const { numbers } = this;
    const at = index * width;
    return {
      fromMs: numbers[at] ?? 0,
      toMs: numbers[at + 1] ?? 0,
      lost: numbers[at + 2] ?? 0,
      expected: numbers[at + 3] ?? 0,
      resentApart: numbers[at + 4] === 1,
      hidden: numbers[at + 5] ?? 0,
    };
  }

  /** When the one at this place began and ended, without an object for it. */
  fromMs(index: number): number {
    return this.numbers[index * width] ?? 0;
  }

  toMs(index: number): number {
    return this.numbers[index * width + 1] ?? 0;
  }

  /** Packets of all spans together. */
  sums(): { lost: number; expected: number } {
    const { numbers } = this;
    const sums = { lost: 0, expected: 0 };
    for (let at = 0; at < this.count * width; at += width) {
      sums.lost += numbers[at + 2] ?? 0;
      sums.expected += numbers[at + 3] ?? 0;
    }
    return sums;
  }

  copy(): SpanQueue {
    const copy = new SpanQueue();
    copy.numbers = this.numbers.slice(0, this.count * width);
    copy.count = this.count;
    return copy;
  }

  all(): LossSpan[] {
    const spans: LossSpan[] = [];
    for (let index = 0; index < this.count; index += 1) spans.push(this.at(index));
    return spans;
  }
}
