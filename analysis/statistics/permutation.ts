import { ascending, mean, sum } from './statistics.js';

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
  return smallestRejected((mean(first) ?? 0) - (mean(second) ?? 0), [...first, ...second], isTooLarge);
}

/**
 * Whether differences within pairs lie above zero, exactly. If nothing had changed, each might as well have the other
 * sign. The chance of error is the share of all ways to set the signs whose sum is as large. What drifts from pair to
 * pair cancels out within each. At most some 20 pairs: each doubles the work.
 */
export function chanceOfSigns(differences: readonly number[]): number {
  const observed = sum(differences);
  const hair = 1e-9 * Math.max(1e-12, ...differences.map(Math.abs)) * differences.length;
  let as = 0;
  const turn = (from: number, total: number): void => {
    const size = differences[from];
    if (size === undefined) {
      if (total >= observed - hair) as += 1;
      return;
    }
    turn(from + 1, total + size);
    turn(from + 1, total - size);
  };
  turn(0, 0);
  return as / 2 ** differences.length;
}

/** The same of ranks, which a few large ones do not decide (F. Wilcoxon, Biometrics 1 (1945), 80–83). */
export function chanceOfSignedRanks(differences: readonly number[]): number {
  const sizes = ascending(differences.filter((one) => one !== 0).map(Math.abs));
  // Equal ones share the middle of their ranks.
  const rankOf = (size: number) => (sizes.indexOf(size) + sizes.lastIndexOf(size)) / 2 + 1;
  return chanceOfSigns(differences.flatMap((one) => (one === 0 ? [] : Math.sign(one) * rankOf(Math.abs(one)))));
}

/** The smallest chance of error that this number of pairs can show. */
export function leastChanceOfSigns(pairs: number): number {
  return 1 / 2 ** pairs;
}

/** As `differenceAtMost`, of pairs. */
export function pairedDifferenceAtMost(differences: readonly number[], chance: number): number {
  if (leastChanceOfSigns(differences.length) > chance) return Number.POSITIVE_INFINITY;
  const isTooLarge = (difference: number) => chanceOfSigns(differences.map((one) => difference - one)) <= chance;
  return smallestRejected(mean(differences) ?? 0, [...differences, 0], isTooLarge);
}

/** From what was seen upwards, first in steps that double, then between the last two. */
function smallestRejected(seen: number, values: readonly number[], isTooLarge: (difference: number) => boolean) {
  let step = Math.max(1e-6, Math.max(...values) - Math.min(...values));
  while (!isTooLarge(seen + step)) step *= 2;
  let [low, high] = [seen, seen + step];
  for (let round = 0; round < 24; round += 1) {
    const middle = (low + high) / 2;
    if (isTooLarge(middle)) high = middle;
    else low = middle;
  }
  return high;
}
