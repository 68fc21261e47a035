import type { SearchOptions } from '../../model/plan.js';
import { repeatsFor } from '../binomial.js';
import type { Landscape } from './landscape.js';
import { resolutionAt } from './resolution.js';

/** The width, as a share of the size, over which a server's chance to pass may fall from sure to none. */
const flakyZonePercent = 10;

/**
 * How many passes the limit needs, given what was seen: `confirm` as long as no trial contradicted another, and as many
 * again when one did. Where the resolution tells sizes apart that a flaky zone would hold side by side, clean trials
 * are easily luck: as many again. `confidence`, if asked for, is a floor under all of it.
 *
 * The factors are the smallest for which bench/search meets its targets; docs/bench-search.md has the table.
 */
export function passesDemanded(options: SearchOptions, landscape: Landscape, size: number): number {
  const contradicted = landscape.setbacks + landscape.surprises > 0;
  const narrow = landscape.smallestFail !== null && isNarrow(options, size);
  return Math.max(options.confirm * (1 + Number(contradicted) + Number(narrow)), confidencePasses(options));
}

/** How many failures the size above needs: one more than `refute` where it was contradicted and steps are narrow. */
export function failuresDemanded(options: SearchOptions, landscape: Landscape, size: number): number {
  const contradicted = landscape.setbacks + landscape.surprises > 0;
  return options.refute + Number(contradicted && isNarrow(options, size));
}

/** How many passes the largest passed size needs before the limit is set a margin below it. */
export function edgePassesDemanded(options: SearchOptions): number {
  return options.confirm;
}

/** The largest number of passes a history without contradictions can demand of a limit up to `largest`. */
export function passesWhenClean(options: SearchOptions, largest: number): number {
  const sizes = Array.from({ length: largest }, (_, index) => index + 1);
  const factor = sizes.some((size) => isNarrow(options, size)) ? 2 : 1;
  return Math.max(options.confirm * factor, confidencePasses(options));
}

/** The largest number of passes any history can demand. */
export function mostPassesDemanded(options: SearchOptions): number {
  return Math.max(3 * options.confirm, confidencePasses(options));
}

/** The largest number of failures any history can demand. */
export function mostFailuresDemanded(options: SearchOptions): number {
  return options.refute + 1;
}

function confidencePasses(options: SearchOptions): number {
  return options.confidence === undefined ? 0 : repeatsFor(options.confidence);
}

/** A flaky zone would hold three sizes a resolution apart; or two, where the resolution leaves no room for a margin. */
function isNarrow(options: SearchOptions, size: number): boolean {
  const resolution = resolutionAt(options, size);
  const zone = (size * flakyZonePercent) / 100;
  return zone >= (resolution === 1 ? 2 : 3) * resolution;
}
