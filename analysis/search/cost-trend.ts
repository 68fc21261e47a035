import type { TrialOutcome } from '../../model/run.js';
import type { TrialCost } from '../../model/trial-cost.js';
import { median } from '../statistics/statistics.js';

/** What the same load cost the server, early and late. */
export interface CostTrend {
  readonly of: keyof TrialCost;
  /** In standard deviations of what chance does. */
  readonly deviations: number;
  /** From the first to the last trial, as a share: 0.2 is a fifth more. */
  readonly rise: number;
  /** The pair of trials of one size that lie furthest apart in time. */
  readonly example: { readonly size: number; readonly early: CostSeen; readonly late: CostSeen };
}

interface CostSeen {
  readonly trial: number;
  readonly value: number;
}

interface SizeCosts {
  readonly size: number;
  readonly costs: readonly CostSeen[];
}

const kinds = ['serverCores', 'serverMemoryMb', 'firstFrameMs'] as const;

/**
 * What rises over trials of one size, the surest first. A seasonal Kendall test (Hirsch, Slack, Smith, Water Resources
 * Research 18 (1982), 107–121) with sizes for seasons: only trials of the same size are held against each other, and
 * only by which is more, so that neither how cost grows with size nor a single odd reading matters. Stable trials alone
 * count: an overloaded server costs what it costs.
 */
export function costTrends(history: readonly TrialOutcome[]): CostTrend[] {
  return kinds.flatMap((of) => trendOf(of, history) ?? []).sort((a, b) => b.deviations - a.deviations);
}

function trendOf(of: keyof TrialCost, history: readonly TrialOutcome[]): CostTrend | undefined {
  const sizes = costsBySize(of, history);
  const pairs = sizes.flatMap(({ costs }) => pairsOf(costs));
  const score = pairs.reduce((sum, [early, late]) => sum + Math.sign(late.value - early.value), 0);
  const variance = sizes.reduce((sum, { costs: { length: n } }) => sum + (n * (n - 1) * (2 * n + 5)) / 18, 0);
  const slope = median(pairs.map(([early, late]) => Math.log(late.value / early.value) / (late.trial - early.trial)));
  const furthest = sizes
    .map(({ size, costs }) => ({ size, early: costs[0], late: costs.at(-1) }))
    .reduce<CostTrend['example'] | undefined>(further, undefined);
  if (slope === undefined || furthest === undefined || score <= 1) return undefined;
  const rise = Math.exp(slope * history.length) - 1;
  return { of, deviations: (score - 1) / Math.sqrt(variance), rise, example: furthest };
}

function costsBySize(of: keyof TrialCost, history: readonly TrialOutcome[]): SizeCosts[] {
  const sizes = new Map<number, CostSeen[]>();
  for (const [index, { size, verdict, cost, trial }] of history.entries()) {
    const value = cost?.[of];
    if (verdict !== 'stable' || value === undefined || value <= 0) continue;
    sizes.set(size, [...(sizes.get(size) ?? []), { trial: trial ?? index + 1, value }]);
  }
  return [...sizes].map(([size, costs]) => ({ size, costs })).filter(({ costs }) => costs.length > 1);
}

function pairsOf(costs: readonly CostSeen[]): (readonly [CostSeen, CostSeen])[] {
  return costs.flatMap((early, index) => costs.slice(index + 1).map((late) => [early, late] as const));
}

function further(
  known: CostTrend['example'] | undefined,
  {
    size,
    early,
    late,
  }: { readonly size: number; readonly early: CostSeen | undefined; readonly late: CostSeen | undefined },
): CostTrend['example'] | undefined {
  if (!early || !late) return known;
  const isFurther = !known || late.trial - early.trial > known.late.trial - known.early.trial;
  return isFurther ? { size, early, late } : known;
}
