import type { SearchOptions } from '../model/plan.js';
import type { Step, TrialOutcome } from '../model/run.js';
import { bisect } from './search/bisect.js';
import { surveyLandscape, voidsInARow } from './search/landscape.js';

export { trialBound } from './search/trial-bound.js';

/**
 * What to do next, as a pure function of the past: no clock, no randomness, nothing remembered between calls. Resuming
 * a run is replaying its outcomes into it.
 *
 * @param baselineSize the first size, in the scenario's unit; what one session alone gets is the yardstick of the rest
 * @param history every trial so far, in the order of execution, void ones included
 * @returns the next size with its reason and a sentence, or the answer
 */
export function nextStep(options: SearchOptions, baselineSize: number, history: readonly TrialOutcome[]): Step {
  const step = bisect({ options, baselineSize, landscape: surveyLandscape(options, history) });
  if (step.kind === 'done' || voidsInARow(history, step.size) === 0) return step;
  return { ...step, why: 'repeat-void', text: `The last trial with ${step.size} was void: again. ${step.text}` };
}
