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
