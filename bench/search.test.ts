import { expect, test } from '@playwright/test';
import { loadlineSearch } from './search/contenders.js';
import { measureSearch } from './search/measure-search.js';

test('over 2000 simulated servers the search is as right as docs/bench-search.md says', () => {
  const quality = measureSearch(loadlineSearch(undefined), 2000, {
    capacities: [1, 500],
    widestPercent: 10,
    evenChance: 'middle',
  });
  expect(quality.trulyStablePercent).toBeGreaterThanOrEqual(99);
  expect(quality.evenChanceInsidePercent).toBeGreaterThanOrEqual(95);
  expect(quality.oneStepApartPercent).toBeGreaterThanOrEqual(99);
});

test('the search is right for the small capacities that most hosts have', () => {
  const quality = measureSearch(loadlineSearch(undefined), 1000, {
    capacities: [1, 19],
    widestPercent: 10,
    evenChance: 'middle',
  });
  expect(quality.trulyStablePercent).toBeGreaterThanOrEqual(99);
  expect(quality.oneStepApartPercent).toBeGreaterThanOrEqual(99);
});
