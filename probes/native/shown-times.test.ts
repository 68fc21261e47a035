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

/** What frames of 25 a second, of which each comes at once but those that are said to be late, are kept for, by the second. */
function keptOf(
  seconds: number,
  roundTripMs: number | undefined,
  lateMs: (ms: number) => number,
  asked: (ms: number) => boolean,
) {
  const shown = new ShownTimes();
  const kept: number[] = [];
  for (let ms = 0; ms <= 1000 * seconds; ms += 40) {
    const atMs = 1_000 + ms + lateMs(ms);
    if (asked(ms)) shown.noteAskedFor(ticks(ms), atMs);
    const forMs = shown.of(ticks(ms), atMs, roundTripMs) - atMs;
    if (ms % 1000 === 0) kept.push(Math.round(forMs));
  }
  return kept;
}

test('where three frames waited for what was sent again, frames are kept for a round trip more, a tenth of a second each second', () => {
  const third = (ms: number) => ms === 80 || ms === 120 || ms === 200;
  const never = () => 0;
  expect(keptOf(3, 150, never, third)).toEqual([27, 111, 177, 177]);
  expect(keptOf(3, 150, never, (ms) => third(ms) && ms > 80)).toEqual([27, 27, 27, 27]);
  expect(keptOf(3, undefined, never, third)).toEqual([27, 27, 27, 27]);
  // Nobody was asked for anything for a minute.
  expect(keptOf(63, 150, never, third).slice(60)).toEqual([177, 97, 27, 27]);
});

test('a frame that is late raises it at once, but not the one that was repaired', () => {
  const asked = (ms: number) => ms <= 120 || ms === 320;
  const kept = (lateAt: number) => keptOf(1, 500, (ms) => (ms === lateAt ? 400 : 0), asked)[1] ?? 0;
  expect(kept(320)).toBeLessThan(150);
  expect(kept(360)).toBeGreaterThan(400);
});
