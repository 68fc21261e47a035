import type { Step } from '../../model/run.js';
import { baselineUnstable } from './answer.js';
import { baselineFailuresDemanded } from './demand.js';
import { tallyOf } from './landscape.js';
import { attempt, type Situation, type Try } from './situation.js';

/** One session alone: without it nothing says what others should get, so its failures are repeated more than others. */
export function beginning({ options, baselineSize, landscape }: Situation): Step {
  const { fails } = tallyOf(landscape, baselineSize);
  if (fails === 0) return attempt(baselineSize, 'baseline', 'What one alone gets is what all others are judged by.');
  const needed = baselineFailuresDemanded(options);
  if (fails >= needed) return { kind: 'done', answer: baselineUnstable(landscape, baselineSize) };
  return attempt(
    baselineSize,
    'refute',
    `${baselineSize} was unstable ${times(fails)}; it must fail ${times(needed)}.`,
  );
}

/**
 * A first pass that was disturbed is repeated once, before larger sizes are judged by what it got. Where that is
 * disturbed, too, the search goes on with it: a machine may be busy for hours.
 */
export function disturbedBeginning({ options, baselineSize, history, landscape }: Situation): Try | undefined {
  const [first, ...others] = history.filter(({ verdict }) => verdict === 'stable');
  const isLast = first?.size === baselineSize && first === history.at(-1);
  if (!isLast || !first.disturbed || others.length > 0 || landscape.ceiling || options.voidRepeats === 0)
    return undefined;
  return attempt(baselineSize, 'repeat-void', 'The probe side was disturbed: again, as all others are judged by it.');
}

export function times(count: number): string {
  if (count === 1) return 'once';
  return count === 2 ? 'twice' : `${count} times`;
}
