import type { SearchOptions } from '../../model/plan.js';
import { anytimeLowerBound, anytimeRepeatsFor, provenPassProbability } from '../statistics/binomial.js';
import type { Landscape } from './landscape.js';
import { resolutionAt } from './resolution.js';

/** The width, as a share of the size, over which a server's chance to pass may fall from sure to none. */
const flakyZonePercent = 10;

/** Where a flaky zone holds one size at most, and where it holds several, times `confirm`. */
const passFactors = { none: 1, one: 2, several: 3 } as const;

/** A limit itself has failed once in four trials at most, whatever its neighbours say for it. */
const passesPerFailure = 3;

/**
 * How many passes the limit needs where no trial contradicted another: `confirm`, where sizes are so far apart that
 * they skip a flaky zone. Twice as many where it may hold one of them, and three times where it holds several side by
 * side, for there trials that agree are easily luck. Where the limit is set a margin below the edge, larger sizes have
 * passed before (`slow-fall.ts`). `confidence`, if asked for, is a floor under all of it.
 *
 * The factors come from bench/search: with smaller ones, more than one headline in a hundred is false where the chance
 * to pass falls slowly on one side (docs/lab/search.md).
 */
export function passesDemanded(options: SearchOptions, landscape: Landscape, size: number): number {
  if (landscape.smallestFail === null) return passesWhenNothingFails(options);
  return cleanPassesDemanded(options, size);
}

/** The passes of a limit that no trial contradicted. */
export function cleanPassesDemanded(options: SearchOptions, size: number): number {
  return Math.max(options.confirm * passFactors[crowding(options, size)], confidencePasses(options));
}

/** The passes of a limit above which nothing failed, because the search may not or cannot go there. */
export function passesWhenNothingFails(options: SearchOptions): number {
  return Math.max(options.confirm, confidencePasses(options));
}

/** How many failures the size above needs: one more than `refute` where sizes lie so close. */
export function failuresDemanded(options: SearchOptions, size: number): number {
  return options.refute + Number(crowding(options, size) === 'several');
}

/** How many failures of one session alone end the search: nothing below it could be asked instead. */
export function baselineFailuresDemanded(options: SearchOptions): number {
  return 2 * options.refute;
}

/** Whether a size that also failed has been tried often enough to be a limit. */
export function hasPassedEnough(options: SearchOptions, passes: number, fails: number): boolean {
  if (passes < options.confirm || passes < passesPerFailure * fails) return false;
  const { confidence } = options;
  return (
    confidence === undefined || anytimeLowerBound(passes, passes + fails, confidence) >= provenPassProbability - 1e-9
  );
}

/** Passes without a failure that show what `confidence` asks for; 0 when nothing is asked. */
export function confidencePasses(options: SearchOptions): number {
  return options.confidence === undefined ? 0 : anytimeRepeatsFor(options.confidence);
}

/** How many sizes, a resolution apart, a flaky zone holds; more do not hurt where the resolution leaves a margin. */
function crowding(options: SearchOptions, size: number): keyof typeof passFactors {
  const resolution = resolutionAt(options, size);
  const held = (size * flakyZonePercent) / 100 / resolution;
  if (held >= (resolution === 1 ? 2 : 3)) return 'several';
  return resolution === 1 && held >= 1 ? 'one' : 'none';
}
