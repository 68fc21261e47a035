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
  private readonly last = new SpanQueue();
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
    while (last.length > 1 && span.toMs - startOf(last.at(1), span) >= burstMs) last.dropFirst();
    if (span.toMs - startOf(last.at(0), span) < burstMs) return;
    const loss = percentLost(sumOf(last.all()));
    if (loss !== undefined && (this.worst === undefined || loss > this.worst)) this.worst = loss;
  }

  /** The same with more spans; this one stays as it is. */
  with(spans: readonly LossSpan[]): LossScan {
    const more = new LossScan();
    more.lost = this.lost;
    more.expected = this.expected;
    for (const span of this.last.all()) more.last.push(span);
    more.worst = this.worst;
    more.firstMs = this.firstMs;
    more.endMs = this.endMs;
    more.most = this.most?.with([]);
    for (const span of spans) more.add(span);
    return more;
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

/** Never after the end of the last one, so that nothing lies between. */
function startOf({ fromMs }: LossSpan, last: LossSpan): number {
  return Math.min(fromMs, last.toMs);
}

function sumOf(spans: readonly LossSpan[]): LossSums {
  let lost = 0;
  let expected = 0;
  for (const span of spans) {
    lost += span.lost;
    expected += span.expected;
  }
  return { lost, expected };
}

export function lossOf(spans: readonly LossSpan[]): LossScan {
  return new LossScan().with(spans);
}
