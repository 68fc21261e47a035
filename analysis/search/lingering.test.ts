import { expect, test } from '@playwright/test';
import { searchSchema } from '../../model/plan.js';
import type { Answer, TrialOutcome } from '../../model/run.js';
import { nextStep } from './search.js';

/** A server that carries this many after a trial that passed, and so many right after one that failed. */
function searched(rested: number, tired: number): { answer: Answer; history: readonly TrialOutcome[] } {
  const options = searchSchema.parse({ max: 2048 });
  const history: TrialOutcome[] = [];
  for (;;) {
    const step = nextStep(options, 1, history);
    if (step.kind === 'done') return { answer: step.answer, history };
    const carried = history.at(-1)?.verdict === 'unstable' ? tired : rested;
    history.push({ size: step.size, verdict: step.size <= carried ? 'stable' : 'unstable' });
  }
}

for (const [rested, tired] of [
  [100, 75],
  [57, 43],
  [338, 253],
  [454, 380],
] as const)
  test(`a server of ${rested} that carries ${tired} right after an overload is found to hold more than that`, () => {
    const { answer, history } = searched(rested, tired);
    expect(answer.outcome).toBe('found');
    expect(answer.stable).toBeLessThanOrEqual(rested);
    expect(answer.stable).toBeGreaterThan(Math.max(tired, 0.8 * rested));
    for (const size of answer.lingers ?? []) expect(size > tired && size <= rested).toBe(true);
    expect(history.length).toBeLessThan(50);
  });

test('sizes that fail right after a failure alone are named', () => {
  expect(searched(100, 75).answer.lingers?.length).toBeGreaterThan(2);
});

test('a server on which no overload lingers is not said to be one', () => {
  for (const size of [1, 7, 57, 100, 338]) expect(searched(size, size).answer.lingers).toBeUndefined();
});
