import type { SearchOptions } from '../../model/plan.js';
import type { Answer, Step, TrialOutcome } from '../../model/run.js';
import { beliefsOf } from './beliefs.js';
import { bisect } from './bisect.js';
import { unlessCostRises } from './drift.js';
import { fixed } from './fixed.js';
import { exhaustedInHaste, paceDecides, withoutHastyFailures } from './hurry.js';
import { surveyLandscape } from './landscape.js';
import { unlessNeverConnected } from './never-connected.js';
import { ramp } from './ramp.js';
import { maySteer } from './screened.js';
import type { Strategy } from './situation.js';

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
 * @param history every trial so far, in the order of execution, void ones included
 * @returns the next size with its reason and a sentence, or the answer
 */
export function nextStep(options: SearchOptions, baselineSize: number, history: readonly TrialOutcome[]): Step {
  const strategy = strategies[options.strategy ?? 'bisect'];
  const past = withoutHastyFailures(history);
  const landscape = surveyLandscape(options, past);
  const beliefs = beliefsOf(past, landscape.ceiling?.size ?? Number.POSITIVE_INFINITY);
  const answerOf = (answer: Answer) => unlessNeverConnected(unlessCostRises(landscape, history, answer), history);
  const step = strategy({ options, baselineSize, landscape, history: past, beliefs });
  if (step.kind === 'done') return { kind: 'done', answer: answerOf(step.answer) };
  const paced = step.atPlanPace || mustNotHurry(step.size, history) ? { ...step, atPlanPace: true as const } : step;
  if (history.findLast(({ size }) => size === step.size)?.verdict !== 'void')
    return maySteer(options, step, past) ? { ...paced, screens: true } : paced;
  return { ...paced, why: 'repeat-void', text: `The last trial with ${step.size} was void: again. ${step.text}` };
}

function mustNotHurry(size: number, history: readonly TrialOutcome[]): boolean {
  return paceDecides(history) || exhaustedInHaste(history, size);
}
