import type { Step } from '../../model/run.js';
import { baselineUnstable } from './answer.js';
import { baselineFailuresDemanded } from './demand.js';
import { tallyOf } from './landscape.js';
import { attempt, type Situation } from './situation.js';

/** Whether one session alone has shown what it gets: a disturbed pass says too little of it to judge others by. */
export function hasYardstick({ history, baselineSize, landscape }: Situation): boolean {
  if (landscape.largestPass === null) return false;
  return history.some((one) => one.size > baselineSize || (one.verdict === 'stable' && !one.disturbed));
}

/** One session alone: without it nothing says what others should get, so its failures are repeated more than others. */
export function beginning({ options, baselineSize, landscape }: Situation): Step {
  const { fails, screened } = tallyOf(landscape, baselineSize);
  const text = 'What one alone gets is what all others are judged by.';
  if (fails === 0 && screened === 0) return attempt(baselineSize, 'baseline', text);
  if (fails === 0) return attempt(baselineSize, 'repeat-void', `The probe side was disturbed: again. ${text}`);
  const needed = baselineFailuresDemanded(options);
  if (fails >= needed) return { kind: 'done', answer: baselineUnstable(landscape, baselineSize) };
  return attempt(
    baselineSize,
    'refute',
    `${baselineSize} was unstable ${times(fails)}; it must fail ${times(needed)}.`,
  );
}

export function times(count: number): string {
  if (count === 1) return 'once';
  return count === 2 ? 'twice' : `${count} times`;
}
