/**
 * What chance alone makes of a count of rare things: packets lost on a link, freezes that follow. All in counts.
 *
 * Losses of a link in two states (Gilbert, Elliott) come in clusters, so that their count varies more than a binomial
 * one: for runs with correlation ρ from packet to packet its variance is (1 + ρ) / (1 − ρ) times as large. That factor
 * is `spread` here, 1 for independent losses.
 */

/** Below one in four thousand, because a value is held against two measures: the link's setting and the baseline. */
export const sigmas = 3.5;
/** The same for the highest of the many spans of 5 s in a window. */
export const sigmasOfWorst = 4.4;
export const rareness = 0.00025;

/**
 * As many as make the furthest of so many streams as rare as `z` is of one: the tail of the normal distribution falls
 * with exp(−z² / 2), so z² grows by 2 ln n.
 */
export function sigmasAmong(streams: number, z: number): number {
  return Math.sqrt(z * z + 2 * Math.log(Math.max(1, streams)));
}

/**
 * How many more than expected: a quantile by Cornish and Fisher's expansion with its term for skewness (Rev. Inst. Int.
 * Stat. 5, 1937), for clusters of geometric length that come by chance (Pólya and Aeppli), whose third cumulant is 1.5
 * s − 0.5 / s variances at a spread of s. `share` is that of things that happen, which is what a binomial varies less
 * by.
 */
export function chanceAbove(expected: number, share: number, spread: number, z: number): number {
  const deviation = Math.sqrt(expected * (1 - share) * spread);
  const skewness = ((z * z - 1) / 6) * (1.5 * spread - 0.5 / spread);
  // What is not expected once in four thousand windows needs no allowance for coming twice.
  return z * deviation + skewness * Math.min(1, expected / rareness);
}

/**
 * How many more than `before` a second count may be when both had the same cause: d with d² = z² · spread · (2 · before
 * + d), for the variance of the difference of two such counts is estimated by their sum. It holds for few as well,
 * where nothing at all was counted before (compare Przyborowski and Wilenski, Biometrika 31, 1940).
 */
export function chanceBetween(before: number, spread: number, z: number): number {
  const scale = z * z * spread;
  return (scale + Math.sqrt(scale * scale + 8 * scale * before)) / 2;
}
