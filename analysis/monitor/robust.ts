import { ascending, median } from '../statistics/statistics.js';

/**
 * Statistics that one odd run does not move. The scale of the median absolute deviation, 1.4826, makes it the standard
 * deviation of a normal distribution (F. R. Hampel, JASA 69 (1974), 383–393).
 */
interface Usual {
  readonly median: number;
  /** Scaled median absolute deviation. */
  readonly deviation: number;
}

export function usualOf(values: readonly number[]): Usual | undefined {
  const middle = median(values);
  if (middle === undefined) return undefined;
  const deviation = median(values.map((value) => Math.abs(value - middle))) ?? 0;
  return { median: middle, deviation: 1.4826 * deviation };
}

interface Trend {
  /** Two-sided chance to see so many rises or falls without a trend (Mann-Kendall, normal approximation with ties). */
  readonly chance: number;
  /** Rises less falls among all pairs: its sign is the direction, also of a step in which most pairs are equal. */
  readonly balance: number;
  /** Median of the slopes of all pairs, per step (Theil-Sen). */
  readonly perStep: number;
}

/** Whether values rise or fall from one to the next. `undefined` below 8 values: the approximation needs them. */
export function trendOf(values: readonly number[]): Trend | undefined {
  const n = values.length;
  if (n < 8) return undefined;
  const slopes: number[] = [];
  let risesLessFalls = 0;
  values.forEach((from, i) => {
    values.slice(i + 1).forEach((to, step) => {
      risesLessFalls += Math.sign(to - from);
      slopes.push((to - from) / (step + 1));
    });
  });
  const ties = tieSizes(values).reduce((sum, size) => sum + size * (size - 1) * (2 * size + 5), 0);
  const variance = (n * (n - 1) * (2 * n + 5) - ties) / 18;
  const z = variance <= 0 ? 0 : (Math.abs(risesLessFalls) - 1) / Math.sqrt(variance);
  return { chance: z <= 0 ? 1 : 2 * upperTail(z), balance: risesLessFalls, perStep: median(slopes) ?? 0 };
}

function tieSizes(values: readonly number[]): number[] {
  const sizes = new Map<number, number>();
  for (const value of ascending(values)) sizes.set(value, (sizes.get(value) ?? 0) + 1);
  return [...sizes.values()];
}

/** Of the standard normal distribution, for z ≥ 0; off by less than 1e-7 (Abramowitz and Stegun 26.2.17). */
function upperTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const factors = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
  const sum = factors.reduce((total, factor, index) => total + factor * t ** (index + 1), 0);
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * sum;
}
