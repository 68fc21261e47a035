import { expect, test } from '@playwright/test';
import { meanOpinionScore } from '../measure/mos.js';
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

test('MOS is 4.41 at its best, falls with delay and loss, and never below 1', () => {
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
