/** Small statistics on plain numbers. An empty list has no statistic: `undefined`, never zero. */

export function mean(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : sum(values) / values.length;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** One after the other: there may be more than a function takes as arguments. */
export function lowest(values: readonly number[]): number | undefined {
  return values.reduce<number | undefined>(
    (low, value) => (low === undefined ? value : Math.min(low, value)),
    undefined,
  );
}

/** As `lowest`. */
export function highest(values: readonly number[]): number | undefined {
  return values.reduce<number | undefined>(
    (high, value) => (high === undefined ? value : Math.max(high, value)),
    undefined,
  );
}

/** The middle value; of an even count the mean of the two in the middle. */
export function median(values: readonly number[]): number | undefined {
  const sorted = ascending(values);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle];
  const lower = sorted[sorted.length % 2 === 0 ? middle - 1 : middle];
  return upper === undefined || lower === undefined ? undefined : (upper + lower) / 2;
}

/**
 * The nearest-rank percentile: the smallest value that at least `percent` of the values do not exceed. It is always
 * a value that was seen, so with fewer than 20 values the 95th percentile is the largest of them.
 */
export function percentile(values: readonly number[], percent: number): number | undefined {
  // As plain numbers, without a function that is asked for each pair: there may be ten thousand.
  const sorted = Float64Array.from(values).sort();
  const rank = Math.ceil((percent / 100) * sorted.length);
  return sorted[Math.max(0, Math.min(sorted.length, rank) - 1)];
}

export function ascending(values: readonly number[]): number[] {
  return [...values].sort((a, b) => a - b);
}

export interface Point {
  readonly at: number;
  readonly amount: number;
}

interface Line {
  readonly start: number;
  readonly slope: number;
}

/**
 * The line through points of which each is off by a share of itself, and so by more where it is larger: least squares
 * of the errors, weighed by one over the square of the place. Undefined with less than two places, or where nothing
 * rises.
 */
export function lineThrough(points: readonly Point[]): Line | undefined {
  const weighed = points.map(({ at, amount }) => ({ at, amount, weight: 1 / (at * at) }));
  const total = (of: (point: (typeof weighed)[number]) => number) => weighed.reduce((sum, one) => sum + of(one), 0);
  const weight = total((one) => one.weight);
  const [meanAt, meanAmount] = [
    total((one) => one.weight * one.at) / weight,
    total((one) => one.weight * one.amount) / weight,
  ];
  const spread = total((one) => one.weight * (one.at - meanAt) ** 2);
  const slope = total((one) => one.weight * (one.at - meanAt) * (one.amount - meanAmount)) / spread;
  if (!(spread > 0) || !(slope > 0)) return undefined;
  return { slope, start: meanAmount - slope * meanAt };
}
