import type { SearchOptions } from '../../model/plan.js';
import type { Step, StepReason } from '../../model/run.js';
import { baselineUnstable, foundBetween, nothingToSay, record, stableUpTo } from './answer.js';
import { failuresDemanded, passesDemanded } from './demand.js';
import { type Landscape, tallyOf } from './landscape.js';
import { resolutionAt } from './resolution.js';

/** What a strategy decides from: the options, the size of the baseline, and the history summed up. */
export interface Situation {
  readonly options: SearchOptions;
  readonly baselineSize: number;
  readonly landscape: Landscape;
}

/**
 * The default strategy. In this order: baseline · doubling until something fails · bisection · refuting the size
 * above · confirming the limit.
 *
 * A limit may have nothing that failed at or below it; an unstable size nothing that passed at or above it. A trial
 * that contradicts an earlier one therefore moves a side outwards, and each further contradiction moves it twice as
 * far (`stride`): the interval widens, nothing is averaged, and the number of trials stays bounded.
 *
 * Refuting comes before confirming. It takes one trial, and a failing one, which ends early; when it finds the size
 * above flaky, the limit needs more passes or is given up, and that is better known before its passes are paid for.
 */
export function bisect(situation: Situation): Step {
  const { baselineSize, landscape } = situation;
  const { largestPass, smallestFail } = landscape;
  if (smallestFail !== null && smallestFail <= baselineSize) return done(baselineUnstable(landscape, baselineSize));
  if (landscape.ceiling && landscape.ceiling.size <= baselineSize) return done(nothingToSay(landscape, baselineSize));
  if (largestPass === null)
    return attempt(baselineSize, 'baseline', 'What one alone gets is what all others are judged by.');
  if (smallestFail === null) return climb(situation, largestPass);
  return closeIn(situation, largestPass, smallestFail);
}

/** Nothing has failed yet: twice as many, up to the ceiling or the largest size allowed. */
function climb(situation: Situation, largestPass: number): Step {
  const { options, landscape } = situation;
  const next = largestPass < firstGrowth(situation) ? firstGrowth(situation) : largestPass * 2;
  const wall = landscape.ceiling?.size;
  if (wall === undefined) {
    if (largestPass >= options.max) return confirmAlone(situation, largestPass);
    return attempt(Math.min(next, options.max), 'grow', `${largestPass} was stable: up.`);
  }
  if (wall - largestPass <= resolutionAt(options, largestPass)) return confirmAlone(situation, largestPass);
  const middle = Math.floor((largestPass + wall) / 2);
  return attempt(
    Math.min(next, middle),
    'bisect',
    `${largestPass} was stable, and ${wall} is too much for the probes.`,
  );
}

/** Something failed: settle the two sides of the limit, each as far out as contradictions ask for. */
function closeIn(situation: Situation, largestPass: number, smallestFail: number): Step {
  const lower = lowerSide(situation, smallestFail);
  if (typeof lower !== 'number') return lower;
  const upper = upperSide(situation, largestPass);
  if (upper !== null && typeof upper !== 'number') return upper;
  const { options, landscape } = situation;
  if (upper !== null) {
    const needed = failuresDemanded(options, landscape);
    const { fails } = tallyOf(landscape, upper);
    if (fails < needed)
      return attempt(upper, 'refute', `${upper} was unstable ${times(fails)}; it must fail ${times(needed)}.`);
  }
  return confirm(situation, lower, upper);
}

/** The candidate for the limit: the largest size that passed, far enough below the smallest that failed. Or a step to one. */
function lowerSide({ options, baselineSize, landscape }: Situation, smallestFail: number): number | Step {
  const stride = strideAfter(landscape.setbacks) * resolutionAt(options, smallestFail);
  const highest = Math.max(baselineSize, landscape.setbacks === 0 ? smallestFail - 1 : smallestFail - stride);
  const candidate =
    landscape.tallies.findLast((tally) => tally.size <= highest && tally.fails === 0)?.size ?? baselineSize;
  if (landscape.setbacks > 0) {
    if (highest - candidate < resolutionAt(options, highest)) return candidate;
    return attempt(highest, 'bisect', `${smallestFail} failed after a pass at or above it: well below it.`);
  }
  if (smallestFail - candidate <= resolutionAt(options, candidate)) return candidate;
  const middle = Math.floor((candidate + smallestFail) / 2);
  return attempt(middle, 'bisect', `The limit lies between ${candidate} and ${smallestFail}: the middle.`);
}

/** The candidate for the unstable size: the smallest failed one above everything that passed; null when none can be had. */
function upperSide({ options, landscape }: Situation, largestPass: number): number | null | Step {
  const top = landscape.ceiling ? landscape.ceiling.size - 1 : options.max;
  const candidate = landscape.tallies.find((tally) => tally.size > largestPass)?.size;
  if (landscape.surprises === 0 && candidate !== undefined) return candidate;
  const stride = strideAfter(landscape.surprises) * resolutionAt(options, largestPass);
  if (candidate !== undefined && candidate - largestPass < stride + resolutionAt(options, largestPass))
    return candidate;
  const next = Math.min(largestPass + stride, candidate === undefined ? top : candidate - 1);
  if (next <= largestPass) return candidate ?? null;
  return attempt(next, 'bisect', `${largestPass} passed after a failure at or below it: well above it.`);
}

function confirmAlone(situation: Situation, size: number): Step {
  return confirm(situation, size, null);
}

function confirm({ options, landscape }: Situation, size: number, above: number | null): Step {
  const needed = passesDemanded(options, landscape);
  const { passes } = tallyOf(landscape, size);
  if (passes < needed) {
    const side = passes === 0 ? 'has not been tried' : `was stable in ${record(landscape, size)}`;
    return attempt(size, 'confirm', `${size} ${side}; it must pass ${times(needed)}.`);
  }
  if (above !== null) return done(foundBetween(landscape, size, above));
  const { ceiling } = landscape;
  if (ceiling?.lastTryLeft)
    return attempt(ceiling.size, 'repeat-void', `Every trial with ${ceiling.size} was void: once more.`);
  return done(stableUpTo(options, landscape, size));
}

/** 1, 2, 4 … resolutions: a side that was contradicted moves out twice as far each time. */
function strideAfter(contradictions: number): number {
  return 2 ** Math.max(0, contradictions - 1);
}

function firstGrowth({ options, baselineSize }: Situation): number {
  return Math.max(options.from ?? 2 * baselineSize, baselineSize);
}

function attempt(size: number, why: StepReason, text: string): Step {
  return { kind: 'try', size, why, text };
}

function done(answer: ReturnType<typeof foundBetween>): Step {
  return { kind: 'done', answer };
}

function times(count: number): string {
  if (count === 1) return 'once';
  return count === 2 ? 'twice' : `${count} times`;
}
