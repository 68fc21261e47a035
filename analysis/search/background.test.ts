import { expect, test } from '@playwright/test';
import { searchSchema } from '../../model/plan.js';
import type { TrialOutcome } from '../../model/run.js';
import { randomFrom } from '../../tests/random.js';
import { apartFromBackground, withBackground } from './background.js';
import { nextStep } from './search.js';

const options = searchSchema.parse({ max: 4096 });

/** Calls of two; so many of the participants noticed something. */
function trial(size: number, by: number): TrialOutcome {
  return { size, verdict: by === 0 ? 'stable' : 'unstable', noticed: { by, of: 2 * size, apart: by } };
}

function readAs(history: readonly TrialOutcome[]) {
  return apartFromBackground(options, history).map(({ verdict, background }) => (background ? 'background' : verdict));
}

test('a failure that one of a thousand noticed is none of the size once twice as many noticed as few', () => {
  const upTo256 = [1, 64, 128, 256].map((size) => trial(size, 0));
  expect(readAs([...upTo256, trial(512, 1)]).at(-1)).toBe('unstable');
  const more = [...upTo256, trial(512, 1), trial(768, 2), trial(1536, 3)];
  expect(readAs(more).slice(-3)).toEqual(['background', 'background', 'background']);
});

test('a failure that more notice the larger it is stays a failure', () => {
  const below = [1, 64, 128, 256].map((size) => trial(size, 0));
  const over = [trial(512, 5), trial(768, 300)];
  expect(readAs([...below, ...over]).slice(-2)).toEqual(['unstable', 'unstable']);
});

test('what is not counted, of few participants, or of a list, is read as it is', () => {
  const uncounted = [1, 512, 768, 1024].map((size): TrialOutcome => ({ size, verdict: 'unstable' }));
  expect(apartFromBackground(options, uncounted)).toBe(uncounted);
  const few = [1, 4, 8, 16].map((size) => trial(size, 1));
  expect(apartFromBackground(options, few)).toBe(few);
  const list = [trial(1, 0), trial(512, 1), trial(768, 1)];
  expect(apartFromBackground({ ...options, strategy: 'fixed' }, list)).toBe(list);
});

test('a search of 2000 calls of which 0.1 % always notice something finds them, and says what it took for no limit', () => {
  const random = randomFrom(5);
  const history: TrialOutcome[] = [];
  for (;;) {
    const step = nextStep(options, 1, history);
    if (step.kind === 'done') {
      expect(step.answer).toMatchObject({ outcome: 'found', stable: expect.any(Number) });
      expect(step.answer.stable).toBeGreaterThan(1600);
      expect(step.answer.stable).toBeLessThanOrEqual(2000);
      expect(step.answer.background?.trials).toBeGreaterThan(5);
      expect(step.answer.because).toContain('with a background');
      return;
    }
    const { size } = step;
    const unlucky = Array.from({ length: 2 * size }, () => random()).filter((chance) => chance < 0.001).length;
    history.push(trial(size, size > 2000 ? Math.max(unlucky, size / 10) : unlucky));
  }
});

test('the background is told of both halves, and whether so few tell a constant rate from a rising one', () => {
  const answer = { outcome: 'found', stable: 1000, unstable: 1050, flaky: [], because: 'So.' } as const;
  const apart = (size: number, by: number): TrialOutcome => ({
    ...trial(size, by),
    verdict: 'stable',
    background: true,
  });
  const few = withBackground(answer, [trial(500, 0), apart(1000, 2), apart(1000, 1)]);
  expect(few.background).toEqual({
    trials: 2,
    atLimit: 2,
    above: { by: 3, of: 4000 },
    below: { by: 0, of: 1000 },
    mayRise: true,
  });
  expect(few.because).toContain('0 of 1000 participants noticed something in trials with up to 500, and 3 of 4000');
  const many = withBackground(
    answer,
    Array.from({ length: 20 }, (_, nth) => apart(nth % 2 === 0 ? 400 : 1000, nth % 2 === 0 ? 2 : 5)),
  );
  expect(many.background?.mayRise).toBeUndefined();
  expect(withBackground(answer, [trial(500, 0), trial(1000, 0)])).toBe(answer);
});
