import { thresholdKey } from '../../model/threshold-id.js';
import type { Margin } from '../../model/trial-cost.js';
import type { ThresholdResult } from '../../model/verdict.js';
import { usedPercentOf } from './summary.js';

/**
 * Whether a trial that only steers the search may end as stable before its time. It may once every value has used at
 * most half of the way to its limit, at two looks in a row, and would not cross it if it went on rising as it rose
 * between them.
 *
 * A mean that has used half of its limit after a quarter of the window has to be 1.17 times the limit in all of the
 * rest to cross it. What comes suddenly and late is not foreseen by this: how often a size that was passed so fails in
 * full is measured in docs/lab/search.md, and the reason why such a pass confirms nothing.
 */
export const clearPercent = 50;

/** The first look is at 12 s and the second at 15: before, encoders and estimates of loss still settle. */
export const firstClearMs = 12_000;

/** How far each threshold is used up; undefined where one has no value or was crossed: then nothing is clear. */
export function marginsOf(thresholds: readonly ThresholdResult[]): readonly Margin[] | undefined {
  const margins = thresholds.map((result): Margin | undefined => {
    const usedPercent = result.limit === 0 ? 100 * Math.min(1, result.worst ?? 1) : usedPercentOf(result);
    if (!result.passed || usedPercent === undefined || result.upTo !== undefined) return undefined;
    // Times to join are known when all have joined: nothing of the window changes them.
    return {
      threshold: thresholdKey(result.id),
      label: result.label,
      usedPercent: result.id.of === 'join' ? 0 : usedPercent,
    };
  });
  return margins.every((margin) => margin !== undefined) ? margins : undefined;
}

/** What came nearest to its limit in a trial that is clearly stable at two looks in a row; else undefined. */
export function clearlyStable(before: readonly Margin[], now: readonly Margin[]): Margin | undefined {
  const earlier = new Map(before.map(({ threshold, usedPercent }) => [threshold, usedPercent]));
  const isClear = ({ threshold, usedPercent }: Margin) => {
    const then = earlier.get(threshold);
    return then !== undefined && Math.max(then, usedPercent, 2 * usedPercent - then) <= clearPercent;
  };
  if (now.length === 0 || !now.every(isClear)) return undefined;
  return now.reduce((nearest, one) => (one.usedPercent > nearest.usedPercent ? one : nearest));
}
