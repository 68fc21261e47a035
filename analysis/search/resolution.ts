import type { SearchOptions } from '../../model/plan.js';

const defaultWithinPercent = 5;

/** How far apart the largest stable and the smallest unstable size may stay around `size`, in sizes; at least 1. */
export function resolutionAt(options: SearchOptions, size: number): number {
  const within = options.within;
  if (typeof within === 'number') return within;
  const percent = within === undefined ? defaultWithinPercent : Number.parseFloat(within);
  return Math.max(1, Math.floor((size * percent) / 100));
}
