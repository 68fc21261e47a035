import type { Step } from '../../model/run.js';
import { nothingToSay, record } from './answer.js';
import { tellingStep } from './background.js';
import { beginning, times } from './beginning.js';
import { certaintyOf } from './belief.js';
import { contestedSide, finished, unsettledStep } from './contested-side.js';
import { failuresDemanded, passesDemanded } from './demand.js';
import { bearsOnDrift, driftStep } from './drift.js';
import { foreseenAbove } from './foreseen-step.js';
import { type Doubt, doubtfulHaste, failedInHasteAlone } from './hurry.js';
import { tallyOf } from './landscape.js';
import type { SteadyBelief } from './lingering.js';
import { resolutionAt } from './resolution.js';
import { isTired, restedStep } from './rest-step.js';
import { companyAbove, narrowTheGap, stableSide, unstableSide } from './sides.js';
import { attempt, done, type Situation, type Try } from './situation.js';
import { mostExtraTrials, mostJudged } from './trial-bound.js';

/**
 * The default strategy. In this order: baseline · doubling until something fails · bisection · refuting the size above
 * · choosing the limit and confirming it. Doubling and bisection go where the limit is foreseen, where anything
 * foresees it (`foreseen-step.ts`).
 *
 * As long as no trial contradicts another, each is believed: a limit has nothing that failed at or below it, an
 * unstable size nothing that passed at or above it. From the first contradiction on (a failure at or below a size that
 * passed) no single trial decides any more. What all verdicts together make believable does: a failure far below sizes
 * that pass is an accident or a size that this server is bad at, a failure near them is a soft edge, and failures of
 * what had passed, again and again, are a server that gets worse. The number of trials stays bounded.
 *
 * Refuting comes before confirming. It takes one trial, and a failing one, which ends early; when it finds the size
 * above flaky, the limit needs more passes or is given up, and that is better known before its passes are paid for.
 */

export function bisect(situation: Situation): Step {
  const { options, baselineSize, landscape, beliefs } = situation;
  const { largestPass, smallestFail, setbacks, surprises, ceiling } = landscape;
  if (ceiling && ceiling.size <= baselineSize) return done(nothingToSay(landscape, baselineSize));
  if (largestPass === null) return beginning(situation);
  if (smallestFail === null) return climb(situation, largestPass);
  const doubt = doubtfulHaste(options, situation.history, Math.min(options.max, (ceiling?.size ?? Infinity) - 1));
  if (doubt) return doubted(doubt);
  const telling = tellingStep(situation);
  if (telling) return telling;
  if (setbacks + surprises === 0) {
    const faint = faintFailure(situation);
    if (faint) return faint;
    return narrowTheGap(situation, largestPass, smallestFail) ?? settle(situation, null);
  }
  const belief = beliefs.steady();
  const drift = bearsOnDrift(situation) ? driftStep(situation) : null;
  if (drift) return (drift.kind === 'try' && restedStep(situation, belief, drift.size)) || drift;
  const judged = landscape.tallies.reduce((sum, { passes, fails, screened }) => sum + passes + fails + screened, 0);
  if (judged > mostExtraTrials && judged >= mostJudged(options, baselineSize))
    return unsettledStep(situation, belief, failedAbove(situation));
  return settle(situation, belief);
}

function doubted({ of, size, atPlanPace }: Doubt): Try {
  const again = atPlanPace ? 'once more at that.' : 'once more at that of other trials.';
  const how = size === of ? again : `does ${size} hold at that, too?`;
  const one = attempt(size, 'refute', `${of} failed joining faster, and held at the pace of the plan: ${how}`);
  return atPlanPace ? { ...one, atPlanPace } : one;
}

/** The weakest kind of failure is repeated before the search goes below it; it stays a failure whatever comes. */
function faintFailure({ landscape, history }: Situation): Try | null {
  const last = history.findLast(({ verdict }) => verdict !== 'void');
  if (!last?.faint || last.verdict !== 'unstable' || tallyOf(landscape, last.size).fails !== 1) return null;
  return attempt(last.size, 'refute', `${last.size} failed by a single thing at one probe, near its limit: once more.`);
}

/** Nothing has failed above: twice as many, up to the ceiling or the largest size allowed. */
function climb(situation: Situation, largestPass: number): Step {
  return higher(situation, largestPass) ?? confirm(situation, largestPass, null);
}

function higher(situation: Situation, largestPass: number): Try | null {
  const { options, baselineSize, landscape } = situation;
  const first = Math.max(options.from ?? 2 * baselineSize, baselineSize);
  const next = largestPass < first ? first : largestPass * 2;
  const wall = landscape.ceiling?.size;
  if (wall === undefined) {
    if (largestPass >= options.max) return null;
    const foreseen = largestPass < first ? null : foreseenAbove(situation, largestPass);
    if (foreseen) return foreseen;
    return attempt(Math.min(next, options.max), 'grow', `${largestPass} was stable: up.`);
  }
  if (wall - largestPass <= resolutionAt(options, largestPass)) return null;
  const middle = Math.floor((largestPass + wall) / 2);
  return attempt(Math.min(next, middle), 'bisect', `${largestPass} was stable, ${wall} is too much for the probes.`);
}

/** Both sides are near: refute the upper, choose the lower and confirm it. */
function settle(situation: Situation, belief: SteadyBelief | null): Step {
  const { options, landscape } = situation;
  const largestPass = landscape.largestPass ?? 0;
  const above = belief ? contestedAbove(situation, belief, largestPass) : unstableSide(situation, largestPass);
  if (above !== null && typeof above !== 'number') return above;
  if (above !== null) {
    const { fails } = tallyOf(landscape, above);
    const needed = belief ? options.refute : failuresDemanded(options, above);
    const hasty = failedInHasteAlone(situation.history, above);
    if (fails < needed || hasty) {
      const first = belief || hasty ? null : passFirst(situation, above);
      if (first) return first;
      const past = `${above} was unstable ${times(fails)}`;
      if (!hasty) return attempt(above, 'refute', `${past}; it must fail ${times(needed)}.`);
      const text = `${past}, joining faster than planned; it must fail at the pace of the plan, too.`;
      return { ...attempt(above, 'refute', text), atPlanPace: true };
    }
    const company = belief ? restedStep(situation, belief, above) : companyAbove(situation, above);
    if (company) return company;
  }
  if (belief) return contestedSide(situation, belief, above);
  const limit = stableSide(situation, landscape.smallestFail ?? 0);
  return typeof limit === 'number' ? confirm(situation, limit, above) : limit;
}

/**
 * The size above failed right after other failures alone. That may have been what an overload left. So the limit is
 * confirmed once before, and the next trial of the size above comes after a pass.
 */
function passFirst(situation: Situation, above: number): Try | null {
  const limit = stableSide(situation, situation.landscape.smallestFail ?? 0);
  if (!isTired(situation.history, above) || typeof limit !== 'number') return null;
  return attempt(
    limit,
    'confirm',
    `${above} failed right after another failure: ${limit} again, before it is tried again.`,
  );
}

/** Less believable than this, the largest size that passed is taken for luck. */
const hardlyStable = 0.3;

/** Where a failure further down may be an accident, the search above goes on as if it had not been. */
function contestedAbove(situation: Situation, belief: SteadyBelief, largestPass: number): number | null | Try {
  const { options } = situation;
  if (certaintyOf(belief, largestPass) < hardlyStable) return unstableSide(situation, largestPass);
  const failed = failedAbove(situation);
  if (failed === null) return higher(situation, largestPass);
  if (failed - largestPass > resolutionAt(options, largestPass)) {
    const middle = Math.floor((largestPass + failed) / 2);
    return attempt(middle, 'bisect', `The limit lies between ${largestPass} and ${failed}: the middle.`);
  }
  return failed;
}

function failedAbove({ landscape }: Situation): number | null {
  return landscape.tallies.find(({ size }) => size > (landscape.largestPass ?? 0))?.size ?? null;
}

function confirm(situation: Situation, size: number, above: number | null): Step {
  const { options, landscape } = situation;
  const { passes } = tallyOf(landscape, size);
  const needed = passesDemanded(options, landscape, size);
  if (passes < needed) {
    const past = `${size} was stable in ${record(landscape, size)}`;
    return attempt(size, 'confirm', `${past}; it must pass ${times(needed)}.`);
  }
  return finished(situation, size, above);
}
