import type { SearchOptions } from '../../model/plan.js';
import type { Answer, Step, StepReason, TrialOutcome } from '../../model/run.js';
import type { Beliefs } from './beliefs.js';
import type { Landscape } from './landscape.js';

/** What a strategy decides from: the options, the baseline's size, and the history as it was and as it may be read. */
export interface Situation {
  readonly options: SearchOptions;
  readonly baselineSize: number;
  readonly landscape: Landscape;
  readonly history: readonly TrialOutcome[];
  readonly beliefs: Beliefs;
}

/** One way to find the limit: pure, and bounded in the number of its trials. */
export type Strategy = (situation: Situation) => Step;

export type Try = Extract<Step, { kind: 'try' }>;

export function attempt(size: number, why: StepReason, text: string): Try {
  return { kind: 'try', size, why, text };
}

export function done(answer: Answer): Step {
  return { kind: 'done', answer };
}
