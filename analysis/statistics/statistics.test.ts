import { expect, test } from '@playwright/test';
import { meanOpinionScore } from '../measure/mos.js';
import { lowerBound } from './binomial.js';
import { mean, median, percentile } from './statistics.js';

test('an empty list has no statistic', () => {
  expect([mean([]), median([]), percentile([], 95)]).toEqual([undefined, undefined, undefined]);
});

test('a percentile is a value that was seen, the median of an even count lies between two', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect([0, 5, 50, 95, 99.5, 100].map((percent) => percentile(hundred, percent))).toEqual([1, 5, 50, 95, 100, 100]);
  expect(percentile([3, 9], 95)).toBe(9);
  expect([median([9, 1, 5]), median([9, 1, 5, 7])]).toEqual([5, 6]);
});

test('3 of 3 prove 36.8 % at 95 % confidence, 10 of 10 prove 74.1 %, and each bound is exact', () => {
  expect(lowerBound(3, 3)).toBeCloseTo(0.05 ** (1 / 3), 9);
  expect(lowerBound(10, 10)).toBeCloseTo(0.05 ** (1 / 10), 9);
  expect(lowerBound(0, 5)).toBe(0);
  // From tables of the binomial distribution: P(X >= 2 | n = 5, p = 0.0764) = 0.05.
  expect(lowerBound(2, 5)).toBeCloseTo(0.0764, 4);
});

test('MOS is 4.4 at its best, falls with delay and loss, and never below 1', () => {
  expect(meanOpinionScore(0, 0)).toBeCloseTo(4.41, 2);
  expect(meanOpinionScore(150, 0)).toBeGreaterThan(4.3);
  expect(meanOpinionScore(400, 0)).toBeLessThan(3.5);
  expect(meanOpinionScore(100, 5)).toBeLessThan(3.5);
  expect(meanOpinionScore(2000, 60)).toBe(1);
  let last = 5;
  for (let loss = 0; loss <= 100; loss += 1) {
    const mos = meanOpinionScore(80, loss);
    expect(mos).toBeLessThanOrEqual(last);
    last = mos;
  }
});
