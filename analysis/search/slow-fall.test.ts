import { expect, test } from '@playwright/test';
import { searchSchema } from '../../model/plan.js';
import type { Tally } from './landscape.js';
import { mayBeLuck, mostEdgePasses } from './slow-fall.js';

const options = searchSchema.parse({ max: 2048 });
const sides = { limit: 200, above: 210 };

const passed = (size: number, passes: number): Tally => ({ size, passes, fails: 0, screened: 0 });

/** After how many passes at that size alone luck is no longer likely. */
function passesNeeded(size: number, asked = options): number {
  return Array.from({ length: 30 }, (_, passes) => passes).findIndex(
    (passes) => !mayBeLuck(asked, [passed(size, passes)], sides),
  );
}

test('a pass says the more, the nearer it is to the size that failed', () => {
  const needed = [201, 204, 206, 208, 209].map((size) => passesNeeded(size));
  expect(needed).toEqual(needed.toSorted((a, b) => b - a));
  expect(needed.at(-1)).toBe(6);
  expect(needed[0]).toBeGreaterThan(12);
});

test('passes of the limit itself, and of what failed, are not counted for the edge', () => {
  expect(mayBeLuck(options, [passed(200, 100)], sides)).toBe(true);
  expect(mayBeLuck(options, [passed(210, 100)], sides)).toBe(true);
});

test('who asks for more passes of the limit asks for more at the edge', () => {
  const more = searchSchema.parse({ max: 2048, confirm: 6 });
  expect([passesNeeded(209), passesNeeded(209, more)]).toEqual([6, 12]);
});

test('a margin as wide as the widest fall asks for none, nor do sizes that leave no room for a margin', () => {
  const wide = searchSchema.parse({ max: 2048, within: '20%' });
  expect(mayBeLuck(wide, [], { limit: 200, above: 240 })).toBe(false);
  expect(mostEdgePasses(wide, 200)).toBe(0);
  expect(mayBeLuck(options, [], { limit: 19, above: 20 })).toBe(false);
  expect(mostEdgePasses(options, 19)).toBe(0);
});

test('wherever bisection leaves the edge, it takes no more passes than the bound says', () => {
  const most = mostEdgePasses(options, 200);
  const lowestEdge = 206;
  expect(passesNeeded(lowestEdge)).toBeLessThanOrEqual(most);
  expect(passesNeeded(lowestEdge)).toBeGreaterThanOrEqual(most - 1);
});
