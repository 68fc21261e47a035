/** Small statistics on plain numbers. An empty list has no statistic: `undefined`, never zero. */

export function mean(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : sum(values) / values.length;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
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
  const sorted = ascending(values);
  const rank = Math.ceil((percent / 100) * sorted.length);
  return sorted[Math.max(0, Math.min(sorted.length, rank) - 1)];
}

export function ascending(values: readonly number[]): number[] {
  return [...values].sort((a, b) => a - b);
}
