import { expect, test } from '@playwright/test';
import { both, times } from '../../tests/effort.js';
import { randomFrom } from '../../tests/random.js';
import { anytimeLowerBound, anytimeRepeatsFor, anytimeUpperBound, atLeast } from './binomial.js';

/** Clopper and Pearson's, for a number of trials that was fixed beforehand. */
function fixedLowerBound(passes: number, trials: number, confidence: number): number {
  let [low, high] = [0, 1];
  for (let halving = 0; halving < 40; halving += 1) {
    const middle = (low + high) / 2;
    if (atLeast(passes, trials, middle) < 1 - confidence) low = middle;
    else high = middle;
  }
  return low;
}

test('the chance of so many passes agrees with published Clopper-Pearson tables', () => {
  // Two-sided 95 %: 8 of 10, as in any table of exact binomial limits; one-sided: n passes of n.
  expect(fixedLowerBound(8, 10, 0.975).toFixed(4)).toBe('0.4439');
  expect(1 - Number(fixedLowerBound(2, 10, 0.975).toFixed(4))).toBeCloseTo(0.9748, 10);
  for (const n of [1, 2, 3, 5, 10, 40]) expect(fixedLowerBound(n, n, 0.95)).toBeCloseTo(0.05 ** (1 / n), 9);
});

test('a confidence asks for the fewest passes whose bound reaches 80 % whenever they stop', () => {
  for (const confidence of [0.5, 0.8, 0.9, 0.95, 0.99]) {
    const passes = anytimeRepeatsFor(confidence);
    expect(anytimeLowerBound(passes, passes, confidence)).toBeGreaterThanOrEqual(0.8 - 1e-9);
    expect(anytimeLowerBound(passes - 1, passes - 1, confidence)).toBeLessThan(0.8);
  }
  expect([0.9, 0.95].map((confidence) => anytimeRepeatsFor(confidence))).toEqual([16, 20]);
});

test('a bound that holds whenever trials stop is lower than one for a fixed number, and both meet nothing and all', () => {
  for (const [passes, trials] of [
    [3, 3],
    [9, 10],
    [40, 50],
    [1500, 1500],
  ] as const) {
    const anytime = anytimeLowerBound(passes, trials);
    expect(anytime).toBeGreaterThan(0);
    expect(anytime).toBeLessThan(fixedLowerBound(passes, trials, 0.95));
    expect(anytimeUpperBound(trials - passes, trials)).toBeCloseTo(1 - anytime, 12);
  }
  expect(anytimeLowerBound(0, 4)).toBe(0);
  expect(anytimeUpperBound(4, 4)).toBe(1);
});

test(
  'whoever goes on until the bound says 80 % is wrong less often than told; with one for a fixed number he is not',
  both,
  () => {
    const claimed = { anytime: 0, fixed: 0 };
    const runs = times(400, 2000);
    for (let seed = 1; seed <= runs; seed += 1) {
      const random = randomFrom(seed);
      const claims = { anytime: false, fixed: false };
      for (let [passes, trials] = [0, 0]; trials < 60; ) {
        trials += 1;
        if (random() < 0.79) passes += 1;
        if (passes < 0.8 * trials) continue;
        claims.anytime ||= anytimeLowerBound(passes, trials, 0.9) >= 0.8;
        claims.fixed ||= fixedLowerBound(passes, trials, 0.9) >= 0.8;
      }
      if (claims.anytime) claimed.anytime += 1;
      if (claims.fixed) claimed.fixed += 1;
    }
    expect(claimed.anytime / runs).toBeLessThan(0.1);
    expect(claimed.fixed / runs).toBeGreaterThan(0.15);
  },
);
