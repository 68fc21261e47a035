import type { SearchOptions } from '../../model/plan.js';
import { baselineFailuresDemanded, cleanPassesDemanded, failuresDemanded, passesWhenNothingFails } from './demand.js';
import { mostForesightExtra } from './foreseen-step.js';
import { edgeResolutionAt } from './resolution.js';
import { mostEdgePasses } from './slow-fall.js';

/** How many trials a search can take at most. */
interface TrialBound {
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
 * Clean: the baseline, the growth, and then what the costliest of the grown gaps takes; or, when nothing fails, the
 * passes of the largest size; or the failures of a baseline that never passes.
 */
function bisectBound(options: SearchOptions, baselineSize: number): JudgedBound {
  const growth = growthSizes(options, baselineSize);
  const gaps = growth.map((above, index) => ({ grown: index + 1, below: growth[index - 1] ?? baselineSize, above }));
  const found = gaps.map((gap) => 1 + gap.grown + cleanCost(options, gap));
  const unlimited = 1 + growth.length + passesWhenNothingFails(options) - 1;
  const plain = Math.max(unlimited, ...found) + steeringExtra(options);
  const clean = Math.max(plain, baselineFailuresDemanded(options));
  return { clean, contradicted: clean + mostExtraTrials };
}

/** A screened size is tried again where it is confirmed: the edge and the limit; and the one below them once. */
const mostScreenedAgain = 3;

function steeringExtra({ foresight, screening }: SearchOptions): number {
  return (foresight === false ? 0 : mostForesightExtra) + (screening === false ? 0 : mostScreenedAgain);
}

/** Trials that contradict each other may take so many more than a clean search: then the answer is what is known. */
export const mostExtraTrials = 40;

/** How many trials that say something `bisect` makes at most, whatever the server does. */
export function mostJudged(options: SearchOptions, baselineSize: number): number {
  return bisectBound(options, baselineSize).contradicted;
}

interface Gap {
  readonly below: number;
  readonly above: number;
}

/** Bisecting one gap, and settling its two sides, which have been tried once each. */
function cleanCost(options: SearchOptions, gap: Gap): number {
  const sizes = Array.from({ length: gap.above - gap.below }, (_, index) => gap.below + index);
  const passes = sizes.map((size) => mostEdgePasses(options, size) + cleanPassesDemanded(options, size) - 1);
  // The size above fails again, one time of those at the pace of the plan, and the one above it once.
  const failures = Math.max(2, failuresDemanded(options, gap.above)) - 1 + 1;
  return halvings(options, gap) + Math.max(...passes) + failures;
}

/** Worst case, size by size: each lower one held once, the last as often as asked; and a failing baseline. */
function rampBound(options: SearchOptions, baselineSize: number): JudgedBound {
  const sizes = Math.max(1, options.max - baselineSize + 1);
  const first = baselineFailuresDemanded(options);
  // Each size that is held long may give way to the one below.
  const [hold, holds] = options.holdMs === undefined ? [0, 0] : [1, sizes];
  const clean = Math.max(first, sizes + options.confirm - 1 + hold);
  return { clean, contradicted: Math.max(clean, sizes * options.confirm + 1 + holds) + 2 * first };
}

/** Each size passes or fails its way to a decision, the baseline too. */
function fixedBound(options: SearchOptions): JudgedBound {
  const sizes = options.sizes?.length ?? 0;
  const each = Math.max(options.confirm, options.refute);
  const first = baselineFailuresDemanded(options);
  const clean = Math.max(first, 1 + sizes * each);
  return { clean, contradicted: Math.max(clean, first + sizes * (options.confirm + options.refute - 1)) };
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
