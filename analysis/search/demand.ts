import type { SearchOptions } from '../../model/plan.js';
import { lowerBound, provenPassProbability, repeatsFor } from '../statistics/binomial.js';
import type { Landscape } from './landscape.js';
import { resolutionAt } from './resolution.js';

/** The width, as a share of the size, over which a server's chance to pass may fall from sure to none. */
const flakyZonePercent = 10;

const mostPassFactor = 3;

/** A limit itself has failed once in four trials at most, whatever its neighbours say for it. */
const passesPerFailure = 3;

/**
 * How many passes the limit needs where no trial contradicted another: `confirm`, where sizes are so far apart that a
 * flaky zone holds one of them at most. Where it would hold several side by side, trials that agree are easily luck, and
 * it takes three times as many; so it does where the limit is set a margin below the edge, but there the passes of larger
 * sizes count, for who passes more passes less. `confidence`, if asked for, is a floor under all of it.
 *
 * The factors come from bench/search: with smaller ones, fewer than 99 % of the limits between 20 and 39 are truly
 * stable, and fewer than 98 % where the chance to pass falls slowly (docs/bench-search.md).
 */
export function passesDemanded(options: SearchOptions, landscape: Landscape, size: number): number {
  if (landscape.smallestFail === null) return passesWhenNothingFails(options);
  const above = landscape.tallies.filter((tally) => tally.size > size).reduce((sum, { passes }) => sum + passes, 0);
  const margin = resolutionAt(options, size) > 1 ? marginPassesDemanded(options) - above : 0;
  return Math.max(cleanPassesDemanded(options, size), margin);
}

/** The passes of a limit that no trial contradicted. */
export function cleanPassesDemanded(options: SearchOptions, size: number): number {
  return Math.max(options.confirm * (isNarrow(options, size) ? mostPassFactor : 1), confidencePasses(options));
}

/** The passes of a limit above which nothing failed, because the search may not or cannot go there. */
export function passesWhenNothingFails(options: SearchOptions): number {
  return Math.max(options.confirm, confidencePasses(options));
}

/** How many failures the size above needs: one more than `refute` where sizes lie so close. */
export function failuresDemanded(options: SearchOptions, size: number): number {
  return options.refute + Number(isNarrow(options, size));
}

/** How many failures of one session alone end the search: nothing below it could be asked instead. */
export function baselineFailuresDemanded(options: SearchOptions): number {
  return 2 * options.refute;
}

/** Whether a size that also failed has been tried often enough to be a limit. */
export function hasPassedEnough(options: SearchOptions, passes: number, fails: number): boolean {
  if (passes < options.confirm || passes < passesPerFailure * fails) return false;
  const { confidence } = options;
  return confidence === undefined || lowerBound(passes, passes + fails, confidence) >= provenPassProbability - 1e-9;
}

/** How many passes the largest passed size needs before the limit is set a margin below it. */
export function edgePassesDemanded(options: SearchOptions): number {
  return options.confirm;
}

/** How often sizes from the limit up must pass together, where it lies a margin below the edge. */
export function marginPassesDemanded(options: SearchOptions): number {
  return mostPassFactor * options.confirm;
}

/** Passes without a failure that show what `confidence` asks for; 0 when nothing is asked. */
export function confidencePasses(options: SearchOptions): number {
  return options.confidence === undefined ? 0 : repeatsFor(options.confidence);
}

/** A flaky zone would hold three sizes a resolution apart; or two, where the resolution leaves no room for a margin. */
function isNarrow(options: SearchOptions, size: number): boolean {
  const resolution = resolutionAt(options, size);
  const zone = (size * flakyZonePercent) / 100;
  return zone >= (resolution === 1 ? 2 : 3) * resolution;
}
