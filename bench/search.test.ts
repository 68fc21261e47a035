import { expect, test } from '@playwright/test';
import { loadlineSearch } from './search/contenders.js';
import { hostileRows } from './search/hostile-server.js';
import { measureHostile } from './search/measure-hostile.js';
import { measureSearch } from './search/measure-search.js';

test('over 1000 simulated servers the search is as right as docs/bench-search.md says', () => {
  const quality = measureSearch(loadlineSearch(undefined), 1000, {
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

test('of servers that are unlucky, soft, odd or getting worse, the headline is true', () => {
  // Two of fifty, where the full table has 1.5 to 3.3 %: these servers have no sharp edge to be right about.
  const most: Readonly<Record<string, number>> = {
    'drift, 1 % a trial': 4,
    'slow fall below': 4,
    'a knee that moves by 3 %': 4,
  };
  const wrong = hostileRows.flatMap((row) => {
    const servers = 50;
    const { falsePercent } = measureHostile(row, servers);
    // One in fifty is 2 %: the full table is the bench's.
    return falsePercent > (most[row.name] ?? 2) ? [`${row.name}: ${falsePercent} %`] : [];
  });
  expect(wrong).toEqual([]);
});

test('a server that gets worse by 2 % with each trial or more is named as drifting', () => {
  const rows = hostileRows.filter(({ name }) => /^drift, [25] %|^fatigue/.test(name));
  const named = rows.map((row) => [row.name, measureHostile(row, 60).driftingPercent] as const);
  expect(named.filter(([, percent]) => percent < 95)).toEqual([]);
});
