import type { SearchOptions } from '../../model/plan.js';
import {
  cleanPassesDemanded,
  edgePassesDemanded,
  failuresDemanded,
  mostFailuresDemanded,
  mostPassesDemanded,
  passesWhenNothingFails,
} from './demand.js';
import { edgeResolutionAt, resolutionAt } from './resolution.js';

/** How many trials a search can take at most. */
export interface TrialBound {
  /** When no trial contradicts another and none is void: what a plan promises. */
  readonly clean: number;
  /** Whatever the server does, without void trials. Servers that ask for more than twice `clean` are rare. */
  readonly contradicted: number;
  /** Whatever happens, void trials included: a proof that the search ends, not an expectation. */
  readonly most: number;
}

type JudgedBound = Omit<TrialBound, 'most'>;

/** The bound a plan states before anything starts. Pure; the reasoning stands at each strategy. */
export function trialBound(options: SearchOptions, baselineSize: number): TrialBound {
  const strategies = { bisect: bisectBound, ramp: rampBound, fixed: fixedBound };
  const bound = strategies[options.strategy ?? 'bisect'](options, baselineSize);
  return { ...bound, most: withVoids(options, baselineSize, bound.contradicted) };
}

/**
 * Clean: the baseline, the growth, and then what the costliest of the grown gaps takes; or, when nothing fails, the passes
 * of the largest size.
 *
 * Contradicted: a setback moves the smallest failure down by a stride that doubles, so there are at most `doublings + 2` of
 * them. A surprise moves the largest pass up by such a stride, or to a size that had failed before: at most as many,
 * and one more for each size that growth or bisection found failing. Each contradiction brings one new size at most,
 * and gives a side a new candidate, which takes as many passes or failures as can be demanded. A size that both passed
 * and failed is never tried again.
 */
function bisectBound(options: SearchOptions, baselineSize: number): JudgedBound {
  const growth = growthSizes(options, baselineSize);
  const gaps = growth.map((above, index) => ({ grown: index + 1, below: growth[index - 1] ?? baselineSize, above }));
  const clean = gaps.map((gap) => 1 + gap.grown + cleanCost(options, gap));
  const unlimited = 1 + growth.length + passesWhenNothingFails(options) - 1;

  const top = Math.max(baselineSize, options.max);
  const doublings = Math.ceil(Math.log2(top)) + 2;
  const halved = Math.max(0, ...gaps.map((gap) => halvings(options, gap)));
  const surprises = doublings + halved + 1;
  const single = 1 + growth.length + halved + 1 + doublings + surprises + edgePassesDemanded(options);
  const passes = (doublings + 1) * mostPassesDemanded(options);
  const failures = (surprises + 1) * mostFailuresDemanded(options, top);
  return { clean: Math.max(unlimited, ...clean), contradicted: single + passes + failures };
}

interface Gap {
  readonly below: number;
  readonly above: number;
}

/** Bisecting one gap, and settling its two sides, which have been tried once each. */
function cleanCost(options: SearchOptions, gap: Gap): number {
  const sizes = Array.from({ length: gap.above - gap.below }, (_, index) => gap.below + index);
  const passes = sizes.map((size) => {
    const margin = resolutionAt(options, size) > 1 ? edgePassesDemanded(options) : 0;
    return cleanPassesDemanded(options, size) - 1 + margin;
  });
  const failures = failuresDemanded(options, gap.above) - 1;
  return halvings(options, gap) + Math.max(...passes) + failures;
}

/** Sizes one by one in the worst case, then each lower one held once and the last as often as asked. */
function rampBound(options: SearchOptions, baselineSize: number): JudgedBound {
  const sizes = Math.max(1, options.max - baselineSize + 1);
  return { clean: sizes + options.confirm - 1, contradicted: sizes * options.confirm + 1 };
}

/** Each size passes or fails its way to a decision. */
function fixedBound(options: SearchOptions): JudgedBound {
  const sizes = options.sizes?.length ?? 0;
  const each = Math.max(options.confirm, options.refute);
  return { clean: 1 + sizes * each, contradicted: 1 + sizes * (options.confirm + options.refute - 1) };
}

/**
 * Before each trial that says something, as many void ones as the search puts up with. And each size may in the end be
 * void and a ceiling, after which the search goes on below it with what it knows from there.
 */
function withVoids(options: SearchOptions, baselineSize: number, judged: number): number {
  const voids = 2 * (options.voidRepeats + 1);
  const ceilings = Math.max(1, options.max - baselineSize + 1, options.sizes?.length ?? 0);
  return (judged + 1) * voids * (ceilings + 1);
}

function growthSizes(options: SearchOptions, baselineSize: number): number[] {
  const sizes: number[] = [];
  let next = Math.max(options.from ?? 2 * baselineSize, baselineSize);
  if (next === baselineSize) next *= 2;
  let last = baselineSize;
  while (last < options.max) {
    last = Math.min(next, options.max);
    sizes.push(last);
    next = last * 2;
  }
  return sizes;
}

/** Bisections of a gap; of an odd one the wider half may stay. */
function halvings(options: SearchOptions, { below, above }: Gap): number {
  let count = 0;
  for (let gap = above - below; gap > edgeResolutionAt(options, below); gap = Math.ceil(gap / 2)) count += 1;
  return count;
}
