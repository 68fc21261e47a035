import { expect, test } from '@playwright/test';
import { ShownTimes } from './shown-times.js';

const ticks = (ms: number): number => (ms * 90) % 2 ** 32;

test('a frame is shown 27 ms behind the quickest ones, and at once where it comes later', () => {
  const shown = new ShownTimes();
  expect(shown.of(ticks(0), 1_000)).toBe(1_027);
  // 7 ms earlier than by the one before.
  expect(shown.of(ticks(40), 1_033)).toBe(1_060);
  expect(shown.of(ticks(80), 1_080)).toBe(1_100);
  expect(shown.of(ticks(120), 1_300)).toBe(1_300);
  expect(shown.of(ticks(160), 1_300)).toBe(1_300);
  expect(shown.of(ticks(320), 1_313)).toBe(1_340);
});

test('where the way has become longer it is followed after twenty seconds, and clocks may drift', () => {
  const shown = new ShownTimes();
  for (let ms = 0; ms < 5_000; ms += 40) shown.of(ticks(ms), ms);
  let last = 0;
  for (let ms = 5_000; ms < 40_000; ms += 40) last = shown.of(ticks(ms), ms + 100) - (ms + 100);
  expect(last).toBe(27);
  // 50 ms a minute for two hours, over the wrap of timestamps.
  const drifting = new ShownTimes();
  for (let ms = 0; ms < 7_200_000; ms += 40) {
    const atMs = ms * (1 + 50 / 60_000);
    const kept = drifting.of((2 ** 31 + ms * 90) % 2 ** 32, atMs) - atMs;
    if (kept < 5 || kept > 28) expect([ms, kept]).toEqual([ms, 'from 5 to 28']);
  }
});
