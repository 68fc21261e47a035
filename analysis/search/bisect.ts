import type { Answer, Step } from '../../model/run.js';
import { baselineUnstable, foundBetween, nothingToSay, record, stableUpTo } from './answer.js';
import { failuresDemanded, passesDemanded } from './demand.js';
import { tallyOf } from './landscape.js';
import { resolutionAt } from './resolution.js';
import { halveTheGap, stableSide, unstableSide } from './sides.js';
import { attempt, type Situation } from './situation.js';

/**
 * The default strategy. In this order: baseline · doubling until something fails · bisection · refuting the size
 * above · choosing the limit and confirming it.
 *
 * A limit may have nothing that failed at or below it; an unstable size nothing that passed at or above it. A trial
 * that contradicts an earlier one therefore moves a side outwards, and each further contradiction moves it twice as
 * far: the interval widens, nothing is averaged, and the number of trials stays bounded.
 *
 * Refuting comes before confirming. It takes one trial, and a failing one, which ends early; when it finds the size
 * above flaky, the limit needs more passes or is given up, and that is better known before its passes are paid for.
 */
export function bisect(situation: Situation): Step {
  const { baselineSize, landscape } = situation;
  const { largestPass, smallestFail } = landscape;
  if (smallestFail !== null && smallestFail <= baselineSize) return done(baselineUnstable(landscape, baselineSize));
  if (landscape.ceiling && landscape.ceiling.size <= baselineSize) return done(nothingToSay(landscape, baselineSize));
  if (largestPass === null) {
    return attempt(baselineSize, 'baseline', 'What one alone gets is what all others are judged by.');
  }
  if (smallestFail === null) return climb(situation, largestPass);
  return halveTheGap(situation, largestPass, smallestFail) ?? settle(situation, largestPass, smallestFail);
}

/** Nothing has failed yet: twice as many, up to the ceiling or the largest size allowed. */
function climb(situation: Situation, largestPass: number): Step {
  const { options, baselineSize, landscape } = situation;
  const first = Math.max(options.from ?? 2 * baselineSize, baselineSize);
  const next = largestPass < first ? first : largestPass * 2;
  const wall = landscape.ceiling?.size;
  if (wall === undefined) {
    if (largestPass >= options.max) return confirm(situation, largestPass, null);
    return attempt(Math.min(next, options.max), 'grow', `${largestPass} was stable: up.`);
  }
  if (wall - largestPass <= resolutionAt(options, largestPass)) return confirm(situation, largestPass, null);
  const middle = Math.floor((largestPass + wall) / 2);
  return attempt(Math.min(next, middle), 'bisect', `${largestPass} was stable, ${wall} is too much for the probes.`);
}

/** Both sides are near: refute the upper, choose the lower and confirm it. */
function settle(situation: Situation, largestPass: number, smallestFail: number): Step {
  const { options, landscape } = situation;
  const above = unstableSide(situation, largestPass);
  if (above !== null && typeof above !== 'number') return above;
  if (above !== null) {
    const { fails } = tallyOf(landscape, above);
    const needed = failuresDemanded(options, above);
    if (fails < needed) {
      return attempt(above, 'refute', `${above} was unstable ${times(fails)}; it must fail ${times(needed)}.`);
    }
  }
  const limit = stableSide(situation, smallestFail);
  return typeof limit === 'number' ? confirm(situation, limit, above) : limit;
}

function confirm({ options, landscape }: Situation, size: number, above: number | null): Step {
  const { passes } = tallyOf(landscape, size);
  const needed = passesDemanded(options, landscape, size);
  if (passes < needed) {
    const past = `${size} was stable in ${record(landscape, size)}`;
    return attempt(size, 'confirm', `${past}; it must pass ${times(needed)}.`);
  }
  if (above !== null) return done(foundBetween(landscape, size, above));
  const { ceiling } = landscape;
  if (ceiling?.lastTryLeft) {
    return attempt(ceiling.size, 'repeat-void', `Every trial with ${ceiling.size} was void: once more.`);
  }
  return done(stableUpTo(options, landscape, size));
}

function done(answer: Answer): Step {
  return { kind: 'done', answer };
}

function times(count: number): string {
  if (count === 1) return 'once';
  return count === 2 ? 'twice' : `${count} times`;
}
