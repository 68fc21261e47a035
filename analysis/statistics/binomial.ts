/** What a few repeats say about the chance to pass. Probabilities and confidences are shares between 0 and 1. */

/** The pass probability that a confidence is asked about. */
export const provenPassProbability = 0.8;

/**
 * One-sided, and true whenever the trials stopped and for whatever reason: the true pass probability is at least this.
 * It is a test martingale against each lower probability: the mean of all bets on a higher one (H. Robbins, Annals of
 * Mathematical Statistics 41 (1970), 1397–1409, by Ville's inequality). One for a number of trials that was fixed
 * beforehand is higher: (1 − confidence)^(1/n) for n of n (C. J. Clopper, E. S. Pearson, Biometrika 26 (1934),
 * 404–413).
 */
export function anytimeLowerBound(passes: number, trials: number, confidence = 0.95): number {
  if (passes === 0) return 0;
  const enough = -Math.log(1 - confidence);
  return solveRising((p) => Number(p >= passes / trials || logWealth(passes, trials, p) < enough), 0.5);
}

/** As `anytimeLowerBound`: the true pass probability is at most this. */
export function anytimeUpperBound(passes: number, trials: number, confidence = 0.95): number {
  return 1 - anytimeLowerBound(trials - passes, trials, confidence);
}

/**
 * Passes without a failure that show, whenever they stop, with this confidence a pass probability of at least
 * `probability`.
 */
export function anytimeRepeatsFor(confidence: number, probability = provenPassProbability): number {
  const enough = -Math.log(1 - confidence);
  let passes = 1;
  while (logWealth(passes, passes, probability) < enough) passes += 1;
  return passes;
}

/** Natural logarithm of what bets against p have come to: the mean likelihood of all above p, over that of p. */
function logWealth(passes: number, trials: number, p: number): number {
  let ways = 0;
  for (let k = 0; k < passes; k += 1) ways += Math.log(trials - k) - Math.log(k + 1);
  const above = 1 - atLeast(passes + 1, trials + 1, p);
  const here = passes * Math.log(p) + (trials - passes) * Math.log1p(-p);
  return Math.log(above) - Math.log(trials + 1) - ways - Math.log1p(-p) - here;
}

/**
 * The chance of `passes` or more in `trials`; rises with `p`. In logarithms, because from 1030 trials on the number of
 * ways is beyond what a double holds, and a monitor runs for years.
 */
export function atLeast(passes: number, trials: number, p: number): number {
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
