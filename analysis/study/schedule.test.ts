import { expect, test } from '@playwright/test';
import { cellsOf, scheduleOf } from './schedule.js';

const cells = cellsOf(['a', 'b', 'c'], ['one-to-one', 'broadcast'], ['small', 'large']);

test('each round has every cell once, and the servers of a load one after the other', () => {
  const steps = scheduleOf({ cells, parts: ['limit'] }, 8, 3);
  expect(steps).toHaveLength(8 * 12);
  for (let round = 1; round <= 8; round += 1) {
    const own = steps.filter((step) => step.round === round).map(({ cell }) => cell);
    expect(new Set(own.map(({ id }) => id)).size).toBe(12);
    for (let first = 0; first < 12; first += 3) {
      const loads = own.slice(first, first + 3).map(({ scenario, setting }) => `${scenario} ${setting}`);
      expect(new Set(loads).size).toBe(1);
    }
  }
});

test('the order is drawn by the seed, anew in each round', () => {
  const order = (seed: number) => scheduleOf({ cells, parts: ['limit'] }, 8, seed).map(({ cell }) => cell.id);
  expect(order(3)).toEqual(order(3));
  expect(order(4)).not.toEqual(order(3));
  expect(new Set(order(3).filter((_, nth) => nth % 12 === 0)).size).toBeGreaterThan(3);
});

test('without settings a cell is a server and a scenario', () => {
  expect(cellsOf(['a'], ['broadcast'], [])).toEqual([{ id: 'a+broadcast', server: 'a', scenario: 'broadcast' }]);
});
