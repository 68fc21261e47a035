import type { SearchOptions } from '../../model/plan.js';

const defaultWithinPercent = 5;

/** How far apart the largest stable and the smallest unstable size may stay around `size`, in sizes; at least 1. */
export function resolutionAt(options: SearchOptions, size: number): number {
  const within = options.within;
  if (typeof within === 'number') return within;
  const percent = within === undefined ? defaultWithinPercent : Number.parseFloat(within);
  return shareOf(size, percent);
}

/**
 * How far a side of the limit moves outwards when it was contradicted, in sizes: one resolution or 5 % of the size,
 * whichever is more, and twice as far each further time. A contradiction means that the size lies where the server
 * passes now and then, and smaller strides than that would visit one lucky size after the other.
 */
export function strideAt(options: SearchOptions, size: number, contradictions: number): number {
  const first = Math.max(resolutionAt(options, size), shareOf(size, 5));
  return first * 2 ** Math.max(0, contradictions - 1);
}

/**
 * How close bisection comes to the edge, in sizes. Where one resolution is several sizes, the search goes to two fifths
 * of it and spends the rest as a margin below the edge: a halving more would cost as much as the pass that it spares.
 */
export function edgeResolutionAt(options: SearchOptions, size: number): number {
  return Math.max(1, Math.floor((2 * resolutionAt(options, size)) / 5));
}

function shareOf(size: number, percent: number): number {
  return Math.max(1, Math.floor((size * percent) / 100));
}
