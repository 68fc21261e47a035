import type { LossSpan } from './loss-spans.js';
import { SpanQueue } from './span-queue.js';

/** So much of five seconds makes a worst five seconds: five samples whose widths vary, or four and a half. Chosen. */
export const burstMs = 4500;

interface LossSums {
  readonly lost: number;
  readonly expected: number;
}

/** Of what was expected, within 0 and 100; `undefined` when nothing was. */
export function percentLost({ lost, expected }: LossSums): number | undefined {
  return expected <= 0 ? undefined : Math.min(100, Math.max(0, (100 * lost) / expected));
}

/** The loss of a stream over its spans, taken in order of time: no more of them is kept than the worst 5 s need. */
export class LossScan implements LossSums {
  lost = 0;
  expected = 0;
  /** The fewest of the last spans that together are `burstMs` wide. */
  private last = new SpanQueue();
  private worst: number | undefined;
  private firstMs: number | undefined;
  private endMs = 0;
  /** The same with all that padding may hide; absent where it hides nothing. */
  most: LossScan | undefined;

  add(span: LossSpan): void {
    const { hidden = 0 } = span;
    if (hidden > 0) this.most ??= this.with([]);
    this.most?.add({ ...span, lost: span.lost + hidden, hidden: 0 });
    this.lost += span.lost;
    this.expected += span.expected;
    this.firstMs ??= span.fromMs;
    this.endMs = span.toMs;
    const { last } = this;
    last.push(span);
    // Never from after the end of the last one, so that nothing lies between.
    const sinceMs = (index: number) => span.toMs - Math.min(last.fromMs(index), span.toMs);
    while (last.length > 1 && sinceMs(1) >= burstMs) last.dropFirst();
    if (sinceMs(0) < burstMs) return;
    const loss = percentLost(last.sums());
    if (loss !== undefined && (this.worst === undefined || loss > this.worst)) this.worst = loss;
  }

  /** The same with more spans; this one stays as it is. */
  with(spans: readonly LossSpan[]): LossScan {
    const more = new LossScan();
    more.lost = this.lost;
    more.expected = this.expected;
    more.last = this.last.copy();
    more.worst = this.worst;
    more.firstMs = this.firstMs;
    more.endMs = this.endMs;
    more.most = this.most?.with([]);
    for (const span of spans) more.add(span);
    return more;
  }

  /** The end of the last span. */
  get lastMs(): number | undefined {
    return this.firstMs === undefined ? undefined : this.endMs;
  }

  /** From the start of the first span to the end of the last. */
  get coveredMs(): number {
    return this.firstMs === undefined ? 0 : this.endMs - this.firstMs;
  }

  /** Negative spans offset positive ones, and the whole is never below 0. `undefined` if no packet was expected. */
  get percent(): number | undefined {
    return percentLost(this);
  }

  /**
   * The highest loss in any 5 s; where all spans together are shorter, the loss of the whole. A span is never divided,
   * because nobody knows where in it the packets were lost: a receiver report that covers 7 s counts as a whole, and of
   * reports that cover 3 s each, two.
   */
  get worstPercent5s(): number | undefined {
    return this.coveredMs < burstMs ? this.percent : this.worst;
  }
}

export function lossOf(spans: readonly LossSpan[]): LossScan {
  return new LossScan().with(spans);
}
