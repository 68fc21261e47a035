import { expect, test } from '@playwright/test';
import { searchSchema } from '../../model/plan.js';
import { both, times } from '../../tests/effort.js';
import { aServerThatHolds } from '../../tests/search-story.js';
import { trialBound } from './trial-bound.js';

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

test('the bound for clean searches is reached by some server, or nearly', both, () => {
  // What foresight and screening may add is shown where they are (foreseen-step.test.ts).
  const plain = { foresight: false, screening: false };
  for (const settings of [
    { max: 16, ...plain },
    { max: 100, within: 1, ...plain },
    ...(times(0, 1) === 1 ? [{ max: 512, ...plain }] : []),
  ]) {
    const bound = trialBound(searchSchema.parse(settings), 1);
    const most = Math.max(
      ...range(1, settings.max).map((capacity) => aServerThatHolds(capacity).with(settings).tell().history.length),
    );
    expect(most).toBeLessThanOrEqual(bound.clean);
    expect(most).toBeGreaterThanOrEqual(bound.clean - 2);
  }
});

test('the bound for a fixed list counts each size as often as it may be tried', () => {
  const options = searchSchema.parse({ strategy: 'fixed', sizes: [4, 8], confirm: 3, refute: 2, voidRepeats: 0 });
  expect(trialBound(options, 1)).toMatchObject({ clean: 7, contradicted: 12 });
});

test('contradictions and void trials only ever add to the bound', () => {
  for (const max of [1, 2, 30, 512]) {
    const { clean, contradicted, most } = trialBound(searchSchema.parse({ max }), 1);
    expect(clean).toBeLessThanOrEqual(contradicted);
    expect(contradicted).toBeLessThanOrEqual(most);
  }
});
