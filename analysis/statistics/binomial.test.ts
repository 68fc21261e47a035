import { expect, test } from '@playwright/test';
import { lowerBound, passInterval, repeatsFor, upperBound } from './binomial.js';

test('n passes of n show a pass probability of at least the nth root of the doubt', () => {
  for (const n of [1, 2, 3, 5, 10, 40]) expect(lowerBound(n, n, 0.95)).toBeCloseTo(0.05 ** (1 / n), 10);
});

test('bounds agree with published Clopper-Pearson tables', () => {
  // Two-sided 95 %: 8 of 10 and 2 of 5, as in any table of exact binomial limits.
  const eight = passInterval(8, 10);
  expect([eight.lower, eight.upper].map((p) => p.toFixed(4))).toEqual(['0.4439', '0.9748']);
  const two = passInterval(2, 5);
  expect([two.lower, two.upper].map((p) => p.toFixed(4))).toEqual(['0.0527', '0.8534']);
});

test('nothing passed shows no lower bound, and everything passed no upper one', () => {
  expect(lowerBound(0, 4)).toBe(0);
  expect(upperBound(4, 4)).toBe(1);
});

test('a confidence asks for the fewest repeats whose lower bound reaches 80 %', () => {
  for (const confidence of [0.5, 0.8, 0.9, 0.95, 0.99]) {
    const repeats = repeatsFor(confidence);
    expect(lowerBound(repeats, repeats, confidence)).toBeGreaterThanOrEqual(0.8 - 1e-9);
    expect(lowerBound(repeats - 1, repeats - 1, confidence)).toBeLessThan(0.8);
  }
  expect(repeatsFor(0.9)).toBe(11);
});
