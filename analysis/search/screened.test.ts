import { expect, test } from '@playwright/test';
import { searchSchema } from '../../model/plan.js';
import type { Step, TrialOutcome } from '../../model/run.js';
import { answerSoFar, nextStep } from './search.js';

const options = searchSchema.parse({});

/** So much of what there is, by which the limit is foreseen. */
const usedBy = (size: number, foreseen: number) =>
  ({ used: [{ what: 'server-cpu', amount: size / foreseen, available: 1 }] }) as const;

/** Passes in screening wherever it may, and in full up to the capacity. */
function searched(isStable: (size: number, inFull: boolean) => boolean, foreseen: number, changes = {}) {
  const history: TrialOutcome[] = [];
  const steps: Step[] = [];
  for (;;) {
    const step = nextStep({ ...options, ...changes }, 1, history);
    steps.push(step);
    if (step.kind === 'done') return { history, steps, answer: step.answer };
    const { size, screens, foresees } = step;
    const screened = screens === true && isStable(size, false);
    const seen = { size, ...usedBy(size, foreseen), ...(foresees ? { foresees } : {}) };
    if (screened) history.push({ ...seen, verdict: 'stable', screened });
    else history.push({ ...seen, verdict: isStable(size, true) ? 'stable' : 'unstable' });
  }
}

const inFull = (history: readonly TrialOutcome[], size: number) =>
  history.filter((trial) => trial.size === size && trial.verdict === 'stable' && !trial.screened).length;

test('what only steers may be screened; the limit has all its passes in full, and nothing near it is screened', () => {
  for (const capacity of [50, 77, 133, 300]) {
    const { history, answer, steps } = searched((size) => size <= capacity, capacity);
    expect(answer).toMatchObject({ outcome: 'found' });
    expect(answer.stable).toBeLessThanOrEqual(capacity);
    expect(answer.because).toMatch(new RegExp(`^${answer.stable} was stable in \\d+ of`));
    expect(inFull(history, answer.stable)).toBeGreaterThanOrEqual(3);
    const screening = steps.filter((step) => step.kind === 'try' && step.screens);
    expect(screening.length).toBeGreaterThan(0);
    expect(screening.every((step) => step.kind === 'try' && ['grow', 'bisect'].includes(step.why))).toBe(true);
    expect(screening.every((step) => step.kind === 'try' && step.size <= capacity / 5)).toBe(true);
  }
});

test('--no-screening, a ramp and a list screen nothing', () => {
  for (const changes of [{ screening: false }, { strategy: 'ramp', max: 8 }, { strategy: 'fixed', sizes: [2, 4] }]) {
    const { steps } = searched((size) => size <= 5, 500, changes);
    expect(steps.some((step) => step.kind === 'try' && step.screens)).toBe(false);
  }
});

test('a pass in screening gives way to a failure in full, is no contradiction, and is the last that is screened', () => {
  const history: TrialOutcome[] = [
    { size: 1, verdict: 'stable', ...usedBy(1, 500) },
    { size: 2, verdict: 'stable', screened: true, ...usedBy(2, 500) },
    { size: 4, verdict: 'stable', ...usedBy(4, 500) },
    { size: 8, verdict: 'stable', screened: true, ...usedBy(8, 500) },
    { size: 8, verdict: 'unstable', ...usedBy(8, 500) },
  ];
  expect(nextStep(options, 1, history)).toMatchObject({ kind: 'try', size: 6, why: 'bisect' });
  expect(nextStep(options, 1, history)).not.toHaveProperty('screens');
});

test('a server that looks well in screening at any size is still answered by what it holds in full', () => {
  for (const capacity of [2, 7, 30, 111]) {
    const { answer } = searched((size, whole) => !whole || size <= capacity, 40 * capacity);
    expect(answer).toMatchObject({ outcome: 'found', flaky: [] });
    expect(answer.stable).toBeLessThanOrEqual(capacity);
    expect(answer.unstable).toBeGreaterThan(capacity);
  }
});

test('nothing is screened where nothing is foreseen, near what is, or once foresight was wrong', () => {
  const grown = (foreseen: number, last: Partial<TrialOutcome> = {}): TrialOutcome[] => [
    { size: 1, verdict: 'stable', ...usedBy(1, foreseen) },
    { size: 2, verdict: 'stable', ...usedBy(2, foreseen), ...last },
  ];
  expect(nextStep(options, 1, grown(500))).toMatchObject({ size: 8, screens: true });
  expect(nextStep(options, 1, grown(30))).not.toHaveProperty('screens');
  expect(nextStep(options, 1, grown(500, { foresees: 'unstable' }))).not.toHaveProperty('screens');
  const unseen: TrialOutcome[] = [1, 2].map((size) => ({ size, verdict: 'stable' }));
  expect(nextStep(options, 1, unseen)).toMatchObject({ kind: 'try', size: 4 });
  expect(nextStep(options, 1, unseen)).not.toHaveProperty('screens');
});

test('an answer that was cut short rests on no pass in screening, and names it', () => {
  const history: TrialOutcome[] = [
    { size: 1, verdict: 'stable' },
    { size: 2, verdict: 'stable', screened: true },
  ];
  expect(answerSoFar(options, 1, history, 'Stopped.').because).toBe(
    'Stopped. Until then 1 was stable in 1 of 1 trials, 2 in trials that confirm nothing.',
  );
});
