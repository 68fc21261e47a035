import type { SearchOptions } from '../../model/plan.js';
import { edgePassesDemanded, mostFailuresDemanded, mostPassesDemanded, passesWhenClean } from './demand.js';
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
 * Clean: the baseline, the growth, the bisection of its widest gap, one size for the margin, the passes and failures.
 *
 * Contradicted: a setback moves the smallest failure down by a stride that doubles, so there are at most `doublings + 2` of
 * them. A surprise moves the largest pass up by such a stride, or to a size that had failed before: at most as many,
 * and one more for each size that growth or bisection found failing. Each contradiction brings one new size at most,
 * and gives a side a new candidate, which takes as many passes or failures as can be demanded. A size that both passed
 * and failed is never tried again.
 */
function bisectBound(options: SearchOptions, baselineSize: number): JudgedBound {
  const growth = growthSizes(options, baselineSize);
  const halvings = widestHalving(options, [baselineSize, ...growth]);
  const single = 1 + growth.length + halvings + 1;
  const top = Math.max(baselineSize, options.max);
  const passes = passesWhenClean(options, top);
  const margin = edgeResolutionAt(options, top) < resolutionAt(options, top) ? edgePassesDemanded(options) : 0;
  const clean = single + (passes - 1) + (options.refute - 1) + margin;

  const doublings = Math.ceil(Math.log2(top)) + 2;
  const setbacks = doublings;
  const surprises = doublings + halvings + 1;
  const sides = (setbacks + 1) * mostPassesDemanded(options) + (surprises + 1) * mostFailuresDemanded(options);
  return { clean, contradicted: single + setbacks + surprises + sides + edgePassesDemanded(options) };
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

/** Bisections of the widest gap between neighbours; of an odd gap the wider half may stay. */
function widestHalving(options: SearchOptions, sizes: readonly number[]): number {
  const counts = sizes.slice(1).map((size, index) => {
    const below = sizes[index] ?? 0;
    let count = 0;
    for (let gap = size - below; gap > edgeResolutionAt(options, below); gap = Math.ceil(gap / 2)) count += 1;
    return count;
  });
  return Math.max(0, ...counts);
}
