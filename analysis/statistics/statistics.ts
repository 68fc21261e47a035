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

/**
 * What so many passes in so many trials prove of the true share of passes: the exact (Clopper-Pearson) one-sided lower
 * bound, 0 to 1. 3 of 3 at 95 %: 0.37; 10 of 10: 0.74.
 */
export function passShareAtLeast(passes: number, trials: number, confidence = 0.95): number {
  if (passes <= 0) return 0;
  let low = 0;
  let high = 1;
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (chanceOfAtLeast(passes, trials, middle) > 1 - confidence) high = middle;
    else low = middle;
  }
  return low;
}

/** The chance that at least `passes` of `trials` pass when each does so with this share. */
function chanceOfAtLeast(passes: number, trials: number, share: number): number {
  let chance = 0;
  for (let count = passes; count <= trials; count += 1) {
    let ways = 1;
    for (let index = 1; index <= count; index += 1) ways *= (trials - count + index) / index;
    chance += ways * share ** count * (1 - share) ** (trials - count);
  }
  return chance;
}
