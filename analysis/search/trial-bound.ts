import type { SearchOptions } from '../../model/plan.js';
import { resolutionAt } from './resolution.js';

/** How many trials a search can take. */
export interface TrialBound {
  /** No trial contradicts another and none is void. */
  readonly clean: number;
  /** Whatever happens, void trials included. */
  readonly most: number;
}

export function trialBound(options: SearchOptions, baselineSize: number): TrialBound {
  const growth = growthSizes(options, baselineSize);
  let widestBisection = 0;
  let below = baselineSize;
  for (const size of growth) {
    widestBisection = Math.max(widestBisection, halvings(size - below, resolutionAt(options, below)));
    below = size;
  }
  const clean = 1 + growth.length + widestBisection + (options.confirm - 1) + (options.refute - 1);
  return { clean, most: clean };
}

function growthSizes(options: SearchOptions, baselineSize: number): number[] {
  const sizes: number[] = [];
  let size = Math.max(options.from ?? 2 * baselineSize, baselineSize);
  if (size === baselineSize) size *= 2;
  for (; sizes.at(-1) !== options.max && baselineSize < options.max; size *= 2) sizes.push(Math.min(size, options.max));
  return sizes;
}

/** Bisections of a gap until it is no wider than `within`; the wider half may stay. */
function halvings(gap: number, within: number): number {
  let count = 0;
  for (let left = gap; left > within; left = Math.ceil(left / 2)) count += 1;
  return count;
}
