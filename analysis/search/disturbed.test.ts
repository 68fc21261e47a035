import { expect, test } from '@playwright/test';
import { searchSchema } from '../../model/plan.js';
import type { TrialOutcome } from '../../model/run.js';
import { both, times } from '../../tests/effort.js';
import { randomFrom } from '../../tests/random.js';
import { Story } from '../../tests/search-story.js';
import { nextStep, trialBound } from './search.js';

const pass = (size: number): TrialOutcome => ({ size, verdict: 'stable' });
const disturbed = (size: number): TrialOutcome => ({ ...pass(size), screened: true, disturbed: true });
const fail = (size: number): TrialOutcome => ({ size, verdict: 'unstable' });

/** Holds 5, and the first so many passes of each size are disturbed. */
const holdsFive = (first: number) =>
  new Story((size, nth) => (size > 5 ? fail(size) : nth < first ? disturbed(size) : pass(size)));

test('disturbed passes steer the search to the same limit, which is confirmed by others', () => {
  const { answer, history } = holdsFive(1).tell();
  expect(answer).toMatchObject({ outcome: 'found', stable: 5, unstable: 6 });
  expect(history.filter((one) => one.size === 5 && one.verdict === 'stable' && !one.disturbed)).toHaveLength(3);
});

test('a size whose passes are all disturbed is no limit: what was confirmed below is told, and why there is no more', () => {
  const story = new Story((size) => (size > 5 ? fail(size) : size >= 4 ? disturbed(size) : pass(size)));
  const { answer } = story.tell();
  expect(answer).toMatchObject({ outcome: 'probe-limited', stable: 3, unstable: null });
  expect(answer.because).toMatch(/The last \d trials with 4 were void or disturbed/);
});

test('a size that passed before its trials were disturbed is not told as disturbed each time', () => {
  const story = new Story((size, nth) =>
    size > 3 ? fail(size) : size === 3 && nth > 0 ? disturbed(size) : pass(size),
  );
  expect(story.tell().answer.because).toMatch(/The last \d trials with 3 were void or disturbed/);
});

test('where every pass is disturbed nothing is confirmed, and the search ends', () => {
  const { answer } = new Story((size) => (size > 5 ? fail(size) : disturbed(size))).tell();
  expect(answer).toMatchObject({ outcome: 'void', stable: 0 });
  expect(answer.because).toBe('Every repeat of the baseline of 1 was void or disturbed, so nothing can be said.');
});

test('a first pass that was disturbed is repeated once before larger sizes are judged by it, whatever that comes to', () => {
  for (const strategy of ['bisect', 'ramp', 'fixed'] as const) {
    const options = searchSchema.parse({ max: 64, strategy, ...(strategy === 'fixed' ? { sizes: [2, 4] } : {}) });
    const sizeAfter = (...history: readonly TrialOutcome[]) => nextStep(options, 1, history);
    expect(sizeAfter(disturbed(1))).toMatchObject({ size: 1, why: 'repeat-void' });
    for (const again of [pass(1), disturbed(1), { size: 1, verdict: 'void' } as const])
      expect(sizeAfter(disturbed(1), again)).toMatchObject({ size: 2 });
    expect(sizeAfter(pass(1))).toMatchObject({ size: 2 });
    for (const before of [{ size: 1, verdict: 'void' } as const, fail(1)]) {
      expect(sizeAfter(before, disturbed(1))).toMatchObject({ size: 1, why: 'repeat-void' });
      expect(sizeAfter(before, disturbed(1), disturbed(1))).not.toMatchObject({ why: 'repeat-void' });
    }
    expect(sizeAfter(disturbed(1), pass(2))).not.toMatchObject({ size: 1 });
  }
  const none = searchSchema.parse({ max: 64, voidRepeats: 0 });
  expect(nextStep(none, 1, [disturbed(1)])).toMatchObject({ size: 2 });
});

test('a size that passed and took all that the probes have is a ceiling at once', () => {
  const tired = (size: number): TrialOutcome => ({ ...disturbed(size), probesExhausted: true });
  const { answer, history } = new Story((size) => (size >= 8 ? tired(size) : pass(size))).tell();
  expect(answer).toMatchObject({ outcome: 'probe-limited', stable: 7 });
  expect(history.filter(({ size }) => size === 8)).toHaveLength(1);
});

/**
 * As bench/search-hostile.ts has it, with fewer, smaller servers (docs/lab/search.md): the disturbance does nothing.
 */
test('however many trials are disturbed every search ends, and what it names is hardly less true', both, () => {
  const options = searchSchema.parse({ max: 256 });
  const bound = trialBound(options, 1).most;
  const searches = times(60, 1000);
  for (const [share, leastTrue] of [
    [0.6, 0.92],
    [0.8, 0.7],
    [1, 1],
  ] as const) {
    let [named, truly] = [0, 0];
    for (let seed = 1; seed <= searches; seed += 1) {
      const random = randomFrom(seed * 7919);
      const edge = 3 * 40 ** random();
      const chance = (size: number) => 1 / (1 + (size / edge) ** 29);
      const history: TrialOutcome[] = [];
      let step = nextStep(options, 1, history);
      for (; step.kind === 'try'; step = nextStep(options, 1, history)) {
        if (history.length >= bound) throw new Error(`no end: ${JSON.stringify(history)}`);
        const [passes, isDisturbed] = [random() < chance(step.size), random() < share];
        const { size } = step;
        history.push(
          passes ? (isDisturbed ? disturbed : pass)(size) : isDisturbed ? { size, verdict: 'void' } : fail(size),
        );
      }
      if (step.answer.outcome !== 'found' || step.answer.cutShort) continue;
      named += 1;
      truly += Number(chance(step.answer.stable) >= 0.8);
    }
    expect(truly, `${100 * share} % disturbed`).toBeGreaterThanOrEqual(leastTrue * named);
    if (share === 1) expect(named).toBe(0);
  }
});
