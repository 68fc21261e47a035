import { expect, test } from '@playwright/test';
import { searchSchema } from '../../model/plan.js';
import type { TrialOutcome } from '../../model/run.js';
import { randomFrom } from '../../tests/random.js';
import { believe, certaintyOf } from './belief.js';
import { nextStep } from './search.js';

/** Passes all trials up to half of the capacity, 70 in 100 from there on, and none above. */
function namedOn(capacity: number, seed: number): number {
  const random = randomFrom(seed);
  const history: TrialOutcome[] = [];
  const options = searchSchema.parse({ max: 2048 });
  let step = nextStep(options, 1, history);
  for (; step.kind === 'try'; step = nextStep(options, 1, history)) {
    const chance = step.size > capacity ? 0 : step.size > capacity / 2 ? 0.7 : 1;
    history.push({ size: step.size, verdict: random() < chance ? 'stable' : 'unstable' });
  }
  return step.answer.stable;
}

test('a plateau on which seven of ten trials pass is named far more seldom than the size below it', () => {
  const named = Array.from({ length: 60 }, (_, nth) => namedOn(200, nth + 1));
  expect(named.filter((size) => size > 100).length).toBeLessThanOrEqual(30);
  expect(named.reduce((sum, size) => sum + size, 0) / named.length).toBeGreaterThan(80);
});

test('two failures among sizes that pass speak for a plateau, and a third of all trials makes it likelier than accidents', () => {
  const at = (size: number, passes: number, fails: number) => ({ at: Math.log(size), passes, fails });
  const sound = [at(10, 3, 0), at(50, 3, 0)];
  const refuted = at(210, 0, 3);
  const once = believe([...sound, at(120, 3, 0), at(190, 3, 1), refuted]);
  const again = believe([...sound, at(120, 2, 1), at(190, 2, 2), refuted]);
  expect(certaintyOf(once, 120)).toBeGreaterThan(0.7);
  expect(certaintyOf(again, 120)).toBeLessThan(0.5);
  expect(certaintyOf(again, 50)).toBeGreaterThan(0.85);
});
