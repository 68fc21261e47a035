import type { LossSpan } from './loss-spans.js';

/** So much of five seconds makes a worst five seconds: five samples whose widths vary, or four and a half. Chosen. */
export const burstMs = 4500;

/** What was lost and what was expected, in packets. */
export interface LossSums {
  readonly lost: number;
  readonly expected: number;
}

export function lossSums(spans: readonly LossSpan[]): LossSums {
  let lost = 0;
  let expected = 0;
  for (const span of spans) {
    lost += span.lost;
    expected += span.expected;
  }
  return { lost, expected };
}

/** Of what was expected, within 0 and 100; `undefined` when nothing was. */
export function percentLost({ lost, expected }: LossSums): number | undefined {
  return expected <= 0 ? undefined : Math.min(100, Math.max(0, (100 * lost) / expected));
}

/**
 * Loss in percent over all spans: negative ones net out against positive ones, and the whole is never below 0.
 * `undefined` when there is no span, or no packet was expected.
 */
export function lossPercent(spans: readonly LossSpan[]): number | undefined {
  return percentLost(lossSums(spans));
}

/**
 * The highest loss in any 5 s; where all spans together are shorter, the loss of the whole. A span is never divided,
 * because nobody knows where in it the packets were lost: a receiver report that covers 7 s counts as a whole, and of
 * reports that cover 3 s each, two.
 */
export function worstLossPercent5s(spans: readonly LossSpan[]): number | undefined {
  if (coveredMs(spans) < burstMs) return lossPercent(spans);
  let worst: number | undefined;
  let first = 0;
  spans.forEach((last, index) => {
    while (last.toMs - startOf(spans[first + 1], last) >= burstMs) first += 1;
    if (last.toMs - startOf(spans[first], last) < burstMs) return;
    const loss = percentLost(sumOf(spans, first, index));
    if (loss !== undefined && (worst === undefined || loss > worst)) worst = loss;
  });
  return worst;
}

/** From the start of the first span to the end of the last. */
export function coveredMs(spans: readonly LossSpan[]): number {
  const [first] = spans;
  const last = spans.at(-1);
  return first && last ? last.toMs - first.fromMs : 0;
}

/** Of a span that is not there: the end of the last one, so that nothing lies between. */
function startOf(span: LossSpan | undefined, last: LossSpan): number {
  return Math.min(span?.fromMs ?? last.toMs, last.toMs);
}

function sumOf(spans: readonly LossSpan[], first: number, last: number): LossSums {
  let lost = 0;
  let expected = 0;
  for (let index = first; index <= last; index += 1) {
    lost += spans[index]?.lost ?? 0;
    expected += spans[index]?.expected ?? 0;
  }
  return { lost, expected };
}
