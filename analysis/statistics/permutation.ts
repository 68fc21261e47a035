import { mean, sum } from './statistics.js';

/**
 * Whether one group of values lies above another, exactly (R. A. Fisher, The Design of Experiments, 1935): if nothing
 * had changed, any of the values might have come from either group, so of all ways to deal them the share that differs
 * as much as the real one is the chance of error. No shape of the noise is taken for granted, and few values give no
 * small chance.
 */
export function chanceAbove(higher: readonly number[], lower: readonly number[]): number {
  const all = [...higher, ...lower];
  const observed = sum(higher);
  const hair = 1e-9 * Math.max(...all.map(Math.abs), 1e-12) * all.length;
  let [as, ways] = [0, 0];
  const deal = (from: number, left: number, total: number): void => {
    if (left === 0) {
      ways += 1;
      if (total >= observed - hair) as += 1;
      return;
    }
    for (let index = from; index <= all.length - left; index += 1) deal(index + 1, left - 1, total + (all[index] ?? 0));
  };
  deal(0, higher.length, 0);
  return as / ways;
}

/** The smallest chance of error that groups of these sizes can show. */
export function leastChance(a: number, b: number): number {
  let ways = 1;
  for (let index = 1; index <= a; index += 1) ways = (ways * (b + index)) / index;
  return 1 / ways;
}

/**
 * How much higher the first group may be at most, by the same test: the smallest difference that is rejected as too
 * large at this chance of error. Infinite where groups are too small to reject anything.
 */
export function differenceAtMost(first: readonly number[], second: readonly number[], chance: number): number {
  if (leastChance(first.length, second.length) > chance) return Number.POSITIVE_INFINITY;
  const isTooLarge = (difference: number) =>
    chanceAbove(
      second,
      first.map((value) => value - difference),
    ) <= chance;
  let low = (mean(first) ?? 0) - (mean(second) ?? 0);
  let step = Math.max(1e-6, Math.max(...first, ...second) - Math.min(...first, ...second));
  while (!isTooLarge(low + step)) step *= 2;
  let high = low + step;
  for (let round = 0; round < 24; round += 1) {
    const middle = (low + high) / 2;
    if (isTooLarge(middle)) high = middle;
    else low = middle;
  }
  return high;
}
