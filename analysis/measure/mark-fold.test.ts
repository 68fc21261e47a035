import { expect, test } from '@playwright/test';
import { times } from '../../tests/effort.js';
import { randomFrom } from '../../tests/random.js';
import { RiseFold } from './mark-fold.js';

function riseOf(seconds: number, ms: (second: number) => number): number | undefined {
  const rise = new RiseFold();
  for (let second = 0; second < seconds; second += 1) rise.add(ms(second));
  return rise.ms();
}

for (const seconds of [5, 10, 17, 60, 600, 7200])
  test(`a rise that goes on for ${seconds} s is told by more than half of it, and never by more than all`, () => {
    const all = 1000;
    const found = riseOf(seconds, (second) => 5 + (all * second) / (seconds - 1)) ?? Number.NaN;
    expect(found).toBeGreaterThan(all / 2);
    expect(found).toBeLessThanOrEqual(all);
  });

test('peaks, a fall, a step that stays and a start that settles are no rise', () => {
  expect(riseOf(60, (second) => (second % 9 === 8 ? 900 : 5))).toBe(0);
  expect(riseOf(60, (second) => 600 - 10 * second)).toBe(0);
  for (const seconds of [10, 30, 60, 90])
    for (let from = 0; from < seconds; from += 1)
      expect(riseOf(seconds, (second) => (second < from ? 5 : 300))).toBe(0);
  expect(riseOf(60, (second) => 300 * (1 - Math.exp(-second / 10)))).toBeLessThan(30);
  expect(riseOf(4, (second) => second)).toBeUndefined();
});

test('what is read of healthy servers and of full hosts never looks like a queue', () => {
  const random = randomFrom(7);
  const rises = Array.from({ length: times(200, 5000) }, () => {
    const [usual, peak] = [20 * random(), 400 * random()];
    const peaked = () => usual * (1 + random()) + (random() < 0.05 ? peak : 0);
    return riseOf(20 + Math.floor(100 * random()), peaked) ?? Number.NaN;
  });
  expect(Math.max(...rises)).toBeLessThan(100);
});
