/**
 * What a few repeats say about the chance to pass: exact (Clopper-Pearson) bounds, because with three trials every
 * approximation is wrong. C. J. Clopper, E. S. Pearson, Biometrika 26 (1934), 404–413.
 *
 * Probabilities and confidences are shares between 0 and 1.
 */

/** The pass probability that `repeatsFor` wants shown. */
export const provenPassProbability = 0.8;

/** One-sided: the true pass probability is at least this. For n of n it is (1 − confidence)^(1/n). */
export function lowerBound(passes: number, trials: number, confidence = 0.95): number {
  if (passes === 0) return 0;
  const alpha = 1 - confidence;
  return solveRising((p) => atLeast(passes, trials, p), alpha);
}

/** One-sided: the true pass probability is at most this. */
export function upperBound(passes: number, trials: number, confidence = 0.95): number {
  return 1 - lowerBound(trials - passes, trials, confidence);
}

/** Two-sided: the true pass probability lies between the two, half of the doubt on each side. */
export function passInterval(passes: number, trials: number, confidence = 0.95) {
  const oneSided = 1 - (1 - confidence) / 2;
  return { lower: lowerBound(passes, trials, oneSided), upper: upperBound(passes, trials, oneSided) };
}

/** Passes in a row that show, with this confidence, a pass probability of at least `probability`. */
export function repeatsFor(confidence: number, probability = provenPassProbability): number {
  return Math.ceil(Math.log(1 - confidence) / Math.log(probability) - 1e-9);
}

/**
 * The chance of `passes` or more in `trials`; rises with `p`. In logarithms, because from 1030 trials on the number of
 * ways is beyond what a double holds, and a monitor runs for years.
 */
function atLeast(passes: number, trials: number, p: number): number {
  if (p <= 0 || p >= 1) return p >= 1 || passes === 0 ? 1 : 0;
  const [pass, fail] = [Math.log(p), Math.log1p(-p)];
  let sum = 0;
  let ways = 0;
  for (let k = 0; k <= trials; k += 1) {
    if (k >= passes) sum += Math.exp(ways + k * pass + (trials - k) * fail);
    ways += Math.log(trials - k) - Math.log(k + 1);
  }
  return sum;
}

/** Where a function that rises from 0 to 1 takes a value; exact to 2⁻⁵³. */
function solveRising(rising: (p: number) => number, value: number): number {
  let low = 0;
  let high = 1;
  for (let halving = 0; halving < 53; halving += 1) {
    const middle = (low + high) / 2;
    if (rising(middle) < value) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
