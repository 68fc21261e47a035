import { expect, test } from '@playwright/test';
import { Freezes } from './freezes.js';

function frozen(durationsMs: readonly number[]) {
  const freezes = new Freezes();
  let atMs = 0;
  freezes.note(atMs);
  for (const durationMs of durationsMs) {
    atMs += durationMs;
    freezes.note(atMs);
  }
  return { count: freezes.count, totalMs: Math.round(freezes.totalMs) };
}

const steady = (count: number): number[] => Array.from({ length: count }, () => 100 / 3);

test('frames at an even rate never freeze, whatever the rate', () => {
  expect(frozen(steady(300))).toEqual({ count: 0, totalMs: 0 });
  expect(frozen(Array.from({ length: 60 }, () => 1000))).toEqual({ count: 0, totalMs: 0 });
});

test('a frame that stays 150 ms longer than the mean of the last 30, its own among them, is a freeze of its whole length', () => {
  // With d in it the mean is (29 × 33.3 + d) / 30, so that 150 ms above it begin at 188.5 ms.
  expect(frozen([...steady(60), 188])).toEqual({ count: 0, totalMs: 0 });
  expect(frozen([...steady(60), 189, ...steady(60)])).toEqual({ count: 1, totalMs: 189 });
  expect(frozen([...steady(60), 500, ...steady(60), 2000])).toEqual({ count: 2, totalMs: 2500 });
});

test('of a slow stream a freeze is three times its mean', () => {
  const slow = Array.from({ length: 60 }, () => 500);
  expect(frozen([...slow, 1500])).toEqual({ count: 0, totalMs: 0 });
  expect(frozen([...slow, 1700])).toEqual({ count: 1, totalMs: 1700 });
});

test('the first durations of a stream say nothing yet', () => {
  expect(frozen([...steady(3), 5000])).toEqual({ count: 0, totalMs: 0 });
  expect(frozen([...steady(4), 5000])).toEqual({ count: 1, totalMs: 5000 });
});
