import type { SearchOptions } from '../../model/plan.js';
import { repeatsFor } from '../binomial.js';
import type { Landscape } from './landscape.js';
import { resolutionAt } from './resolution.js';

/** The width, as a share of the size, over which a server's chance to pass may fall from sure to none. */
const flakyZonePercent = 10;

const mostPassFactor = 3;

/**
 * How many passes the limit needs, given what was seen: `confirm` as long as no trial contradicted another, and twice
 * as many when one did. Where the resolution tells sizes apart that a flaky zone would hold side by side, trials that
 * agree are easily luck, and it takes three times as many. `confidence`, if asked for, is a floor under all of it.
 *
 * The factors come from bench/search: with smaller ones, fewer than 99 % of the limits between 20 and 39 are truly
 * stable (docs/bench-search.md).
 */
export function passesDemanded(options: SearchOptions, landscape: Landscape, size: number): number {
  if (landscape.smallestFail === null) return passesWhenNothingFails(options);
  const contradicted = landscape.setbacks + landscape.surprises > 0;
  const clean = cleanPassesDemanded(options, size);
  return contradicted ? Math.max(clean, 2 * options.confirm) : clean;
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

/** How many passes the largest passed size needs before the limit is set a margin below it. */
export function edgePassesDemanded(options: SearchOptions): number {
  return options.confirm;
}

/** The largest number of passes any history can demand. */
export function mostPassesDemanded(options: SearchOptions): number {
  return Math.max(mostPassFactor * options.confirm, confidencePasses(options));
}

/** The largest number of failures any history can demand of a size up to `largest`. */
export function mostFailuresDemanded(options: SearchOptions, largest: number): number {
  return options.refute + Number(hasNarrow(options, largest));
}

function confidencePasses(options: SearchOptions): number {
  return options.confidence === undefined ? 0 : repeatsFor(options.confidence);
}

function hasNarrow(options: SearchOptions, largest: number): boolean {
  return Array.from({ length: largest }, (_, index) => index + 1).some((size) => isNarrow(options, size));
}

/** A flaky zone would hold three sizes a resolution apart; or two, where the resolution leaves no room for a margin. */
function isNarrow(options: SearchOptions, size: number): boolean {
  const resolution = resolutionAt(options, size);
  const zone = (size * flakyZonePercent) / 100;
  return zone >= (resolution === 1 ? 2 : 3) * resolution;
}
