import type { SearchOptions } from '../../model/plan.js';
import type { Answer, Step, TrialOutcome } from '../../model/run.js';
import { fixedAnswer, nothingToSay, record } from './answer.js';
import { apartFromBackground, withBackground } from './background.js';
import { beginning, disturbedBeginning } from './beginning.js';
import { beliefsOf } from './beliefs.js';
import { bisect } from './bisect.js';
import { unlessCostRises } from './drift.js';
import { exhaustedInHaste, paceDecides, withoutHastyFailures } from './hurry.js';
import { surveyLandscape, tallyOf } from './landscape.js';
import { unlessNeverConnected, waylessAnswer } from './never-connected.js';
import { ramp } from './ramp.js';
import { withLingering } from './rest-step.js';
import { maySteer } from './screened.js';
import { attempt, done, type Situation, type Strategy } from './situation.js';

export { worstHeadroom } from '../judge/headroom.js';
export { answerSoFar } from './answer-so-far.js';
export { resolutionAt } from './resolution.js';
export { trialBound } from './trial-bound.js';

const strategies: Readonly<Record<'bisect' | 'ramp' | 'fixed', Strategy>> = { bisect, ramp, fixed };

/**
 * What to do next, as a pure function of the past: no clock, no randomness, nothing remembered between calls. Resuming
 * a run is replaying its outcomes into it.
 *
 * @param baselineSize the first size, in the scenario's unit; what one session alone gets is the yardstick of the rest
 * @param all every trial so far, in the order of execution, void ones included
 * @returns the next size with its reason and a sentence, or the answer
 */
export function nextStep(options: SearchOptions, baselineSize: number, all: readonly TrialOutcome[]): Step {
  const wayless = waylessAnswer(all);
  if (wayless) return done(wayless);
  const strategy = strategies[options.strategy ?? 'bisect'];
  const history = apartFromBackground(options, all);
  const past = withoutHastyFailures(history);
  const landscape = surveyLandscape(options, past);
  const beliefs = beliefsOf(past, landscape.ceiling?.size ?? Number.POSITIVE_INFINITY);
  const situation = { options, baselineSize, landscape, history: past, beliefs };
  const answerOf = (answer: Answer) =>
    withBackground(unlessNeverConnected(unlessCostRises(landscape, history, answer), history), history);
  const step = disturbedBeginning(situation) ?? strategy(situation);
  if (step.kind === 'done') return { kind: 'done', answer: answerOf(withLingering(situation, step.answer)) };
  const paced = step.atPlanPace || mustNotHurry(step.size, history) ? { ...step, atPlanPace: true as const } : step;
  if (history.findLast(({ size }) => size === step.size)?.verdict !== 'void')
    return maySteer(options, step, past) ? { ...paced, screens: true } : paced;
  return { ...paced, why: 'repeat-void', text: `The last trial with ${step.size} was void: again. ${step.text}` };
}

function mustNotHurry(size: number, history: readonly TrialOutcome[]): boolean {
  return paceDecides(history) || exhaustedInHaste(history, size);
}

/**
 * A given list of sizes in the order given, for comparing servers at the same loads. Each is tried until it has passed
 * `confirm` times or failed `refute` times; one that is void as often as may be is left out, and so is every larger
 * one.
 */
function fixed(situation: Situation): Step {
  const { options, baselineSize, landscape } = situation;
  const { largestPass, ceiling } = landscape;
  if (ceiling && ceiling.size <= baselineSize) return done(nothingToSay(landscape, baselineSize));
  if (largestPass === null) return beginning(situation);
  const size = options.sizes?.find((listed) => (!ceiling || listed < ceiling.size) && !isSettled(situation, listed));
  if (size === undefined) return done(fixedAnswer(options, landscape, baselineSize));
  return attempt(size, 'fixed', `${size} is on the list; so far stable in ${record(landscape, size)}.`);
}

function isSettled({ options, landscape }: Situation, size: number): boolean {
  const { passes, fails } = tallyOf(landscape, size);
  return passes >= options.confirm || fails >= options.refute;
}
