import { mean, percentile, sum } from './statistics.js';

/** How evenly something is spread over hosts. */
export interface Spread {
  /** Between the fullest and the emptest of nine in ten. */
  readonly p95LessP5: number;
  /** Standard deviation ÷ mean; absent where the mean is 0. */
  readonly variation?: number;
  /** (Σx)² ÷ (n·Σx²): 1 when all are alike, 1/n when one has all (R. Jain, 1984); absent where all are 0. */
  readonly jain?: number;
}

export function spreadAmong(values: readonly number[]): Spread | undefined {
  const [p5, p95, middle] = [percentile(values, 5), percentile(values, 95), mean(values)];
  if (p5 === undefined || p95 === undefined || middle === undefined) return undefined;
  const squares = sum(values.map((value) => value * value));
  const deviation = Math.sqrt(sum(values.map((value) => (value - middle) ** 2)) / values.length);
  return {
    p95LessP5: p95 - p5,
    ...(middle === 0 ? {} : { variation: deviation / middle }),
    ...(squares === 0 ? {} : { jain: sum(values) ** 2 / (values.length * squares) }),
  };
}
