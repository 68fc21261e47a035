import type { SearchOptions } from '../../model/plan.js';
import type { Step } from '../../model/run.js';
import { foundBetween, stableUpTo, unsettled, unsureText } from './answer.js';
import { type Belief, certaintyOf } from './belief.js';
import { baselineFailuresDemanded, confidencePasses, hasPassedEnough } from './demand.js';
import { baselineGivenUp, driftStep } from './drift.js';
import { hasPassed, type Tally, tallyOf } from './landscape.js';
import type { SteadyBelief } from './lingering.js';
import { resolutionAt } from './resolution.js';
import { mayLinger, restedStep } from './rest-step.js';
import { attempt, done, type Situation } from './situation.js';

/**
 * So sure the verdicts must make it that the limit passes often enough: at sizes that leave no room for a margin; and
 * where sizes a little above it must be stable, too. There more certainty costs trials and makes no headline truer
 * (docs/lab/search.md). And what will do after so many trials in which verdicts went on contradicting each other
 * without more being found.
 */
const certaintyAlone = 0.99;
const certaintyWithMargin = 0.96;
const demandedLater = [
  { after: 10, certainty: 0.95 },
  { after: 18, certainty: 0.9 },
] as const;
const leastCertainty = 0.9;
/** A search that ends without certainty still names a size that is at least as likely as this. */
const likely = 0.6;
/** A size is worth its logarithm, less this for the doubt that it is stable: 1 % of doubt weighs as 6 % of the size. */
const doubtCosts = 6;
/** A trial that brings less is not worth it. */
const leastGain = 0.02;
/** What may be tried: sizes that were, and so many more, equally far apart by logarithm. */
const sizesBetween = 32;
/** After so many trials, and the passes that a confidence asks for, the search no longer waits for certainty. */
const mostContested = 25;

/**
 * The limit where trials contradict each other: the largest size that its own passes, and all other verdicts with them,
 * make stable with enough certainty. What lies between the limit and the size above is told as it was seen: the answer
 * of a soft edge is an interval.
 *
 * @param above the unstable size, or null where the search may not go there
 */
export function contestedSide(situation: Situation, belief: SteadyBelief, above: number | null): Step {
  const { options, baselineSize, landscape } = situation;
  const top = above === null ? (landscape.largestPass ?? baselineSize) : above - 1;
  const certainty = certaintyNow(situation, belief);
  const proven = provenUpTo(situation, certainty, top, (size) => certaintyDemanded(situation, size));
  const wanted = worthiest(situation, certainty, top);
  const isEnough = !mayLinger(belief) || landscape.contested >= mostContested || wanted <= (proven ?? 0);
  if (proven !== undefined && isEnough)
    return driftStep(situation, between(options, proven, top)) ?? finished(situation, proven, above);
  if (landscape.contested >= mostContested + confidencePasses(options)) return unsettledStep(situation, belief, above);
  if (isHopeless(situation, belief)) return baselineGivenUp(situation);
  const tried = landscape.tallies.findLast((tally) => tally.size <= wanted && hasPassed(tally))?.size;
  const size = tried !== undefined && wanted - tried < resolutionAt(options, wanted) ? tried : wanted;
  const text = `Trials contradict each other: ${pastOf(tallyOf(landscape, size))}.`;
  return restedStep(situation, belief, size) ?? attempt(size, 'confirm', text);
}

/** Sizes a resolution apart, from above the first to the last. */
function between(options: SearchOptions, from: number, to: number): readonly number[] {
  const step = resolutionAt(options, from);
  return Array.from({ length: Math.max(0, Math.floor((to - from) / step)) }, (_, index) => from + (index + 1) * step);
}

function certaintyDemanded({ options, landscape }: Situation, size: number): number {
  const later = demandedLater.findLast(({ after }) => landscape.contested >= after)?.certainty ?? certaintyAlone;
  return marginAt(options, size) > 0 ? Math.min(certaintyWithMargin, later) : later;
}

/** Where the resolution leaves room for it, sizes a little above the limit must be stable, too. */
function marginAt(options: SearchOptions, size: number): number {
  return Math.floor(resolutionAt(options, size) / 2);
}

/**
 * The size that is worth most to try, up to `top`: how believable it is that it is stable, times how much more it would
 * then be worth than what can be named now. Where no size is worth more, that is named.
 */
function worthiest({ options, baselineSize, landscape }: Situation, certainty: (size: number) => number, top: number) {
  const tried = landscape.tallies.map(({ size }) => size).filter((size) => size <= top);
  const apart = Math.log(top / baselineSize) / sizesBetween;
  const others = Array.from({ length: sizesBetween + 1 }, (_, nth) => Math.round(baselineSize * Math.exp(nth * apart)));
  const sizes = [...new Set([...tried, ...others])].map((size) => {
    const sure = certainty(size + marginAt(options, size));
    return { size, sure, worth: Math.log(size) - doubtCosts * (1 - sure) };
  });
  const now = sizes.reduce((most, one) => (one.worth > most.worth ? one : most));
  return sizes.reduce(
    (most, { size, sure }) => {
      const gain = sure * (Math.log(size) - now.worth);
      return gain > most.gain ? { size, gain } : most;
    },
    { size: now.size, gain: leastGain },
  ).size;
}

/** The end of a search whose trials go on contradicting each other; what `confidence` asks for is then not shown. */
export function unsettledStep(situation: Situation, belief: Belief, above: number | null): Step {
  const top = above === null ? Number.POSITIVE_INFINITY : above - 1;
  const { confidence: _, ...options } = situation.options;
  const likeliest = provenUpTo({ ...situation, options }, certaintyNow(situation, belief), top, () => likely);
  return driftStep(situation) ?? done(unsettled(situation.landscape, likeliest, above));
}

/** Where something that had passed failed, the server may be getting worse: then what counts is what it holds now. */
function certaintyNow({ landscape, beliefs }: Situation, belief: Belief): (size: number) => number {
  if (landscape.setbacks === 0) return (size) => certaintyOf(belief, size);
  return beliefs.ageing().certaintyNow;
}

function provenUpTo(
  { options, landscape }: Situation,
  certainty: (size: number) => number,
  top: number,
  demanded: (size: number) => number,
): number | undefined {
  const proven = landscape.tallies.findLast(
    ({ size, passes, fails }) =>
      size <= top &&
      hasPassedEnough(options, passes, fails) &&
      certainty(size + marginAt(options, size)) >= demanded(size),
  );
  return proven?.size;
}

/** One session alone fails as often as is asked of it, and what passed now and then does not speak for it. */
function isHopeless({ options, baselineSize, landscape }: Situation, belief: Belief): boolean {
  const { passes, fails } = tallyOf(landscape, baselineSize);
  const isFailing = fails >= baselineFailuresDemanded(options) && fails > passes;
  return isFailing && certaintyOf(belief, baselineSize) < 1 - leastCertainty;
}

/** What is left once the limit is shown: a size above that was void gets its last try. */
export function finished({ options, landscape }: Situation, size: number, above: number | null): Step {
  if (above !== null) return done(foundBetween(landscape, size, above));
  const { ceiling } = landscape;
  if (ceiling?.lastTryLeft) {
    return attempt(ceiling.size, 'repeat-void', `${unsureText(ceiling)}: once more.`);
  }
  return done(stableUpTo(options, landscape, size));
}

function pastOf({ size, passes, fails, screened }: Tally): string {
  if (passes + fails === 0 && screened > 0) return `${size}, stable in trials that confirm nothing, is tried again`;
  if (passes + fails === 0) return `by all of them, ${size} is likely stable`;
  return `${size}, stable in ${passes} of ${passes + fails}, is tried again`;
}
