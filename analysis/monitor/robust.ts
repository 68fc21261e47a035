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

/** Fewer values that are worth one each, and the normal approximation does not hold. */
const leastValues = 8;

/**
 * Whether values rise or fall from one to the next. Values that resemble those just before them are worth fewer than
 * they are: the variance is that of K. H. Hamed and A. R. Rao, J. Hydrology 204 (1998), 182–196. `undefined` where they
 * are worth fewer than 8.
 */
export function trendOf(values: readonly number[]): Trend | undefined {
  const n = values.length;
  if (n < leastValues) return undefined;
  const slopes: number[] = [];
  let risesLessFalls = 0;
  values.forEach((from, i) => {
    values.slice(i + 1).forEach((to, step) => {
      risesLessFalls += Math.sign(to - from);
      slopes.push((to - from) / (step + 1));
    });
  });
  const perStep = median(slopes) ?? 0;
  const repeated = repetition(values.map((value, nth) => value - perStep * nth));
  if (n / repeated < leastValues) return undefined;
  const ties = tieSizes(values).reduce((sum, size) => sum + size * (size - 1) * (2 * size + 5), 0);
  const variance = (repeated * (n * (n - 1) * (2 * n + 5) - ties)) / 18;
  const z = variance <= 0 ? 0 : (Math.abs(risesLessFalls) - 1) / Math.sqrt(variance);
  return { chance: z <= 0 ? 1 : 2 * upperTail(z), balance: risesLessFalls, perStep };
}

/**
 * How many values say what one independent value would, 1 at least: n/n* of Hamed and Rao. Autocorrelations of ranks
 * are taken from an AR(1) process with the first one that was seen, corrected for its bias in short series. The sum of
 * all that were seen would leave out the long tails, and find trends in noise.
 */
function repetition(steady: readonly number[]): number {
  const n = steady.length;
  const ranks = centredRanks(steady);
  const product = (lag: number) => ranks.reduce((sum, rank, nth) => sum + rank * (ranks[nth + lag] ?? 0), 0);
  const own = product(0);
  if (own === 0) return 1;
  const first = Math.min(0.99, ((n * product(1)) / own + 2) / (n - 4));
  let total = 0;
  let correlation = 1;
  for (let lag = 1; lag < n - 2; lag += 1) {
    correlation *= first;
    total += (n - lag) * (n - lag - 1) * (n - lag - 2) * correlation;
  }
  return Math.max(1, 1 + (2 * total) / (n * (n - 1) * (n - 2)));
}

/** Around zero; equal values share the middle of their ranks. */
function centredRanks(values: readonly number[]): number[] {
  const sorted = ascending(values);
  const places = new Map<number, { first: number; last: number }>();
  sorted.forEach((value, nth) => {
    places.set(value, { first: places.get(value)?.first ?? nth, last: nth });
  });
  return values.map((value) => {
    const { first, last } = places.get(value) ?? { first: 0, last: 0 };
    return (first + last) / 2 - (values.length - 1) / 2;
  });
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
