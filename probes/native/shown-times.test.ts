import { expect, test } from '@playwright/test';
import { randomFrom } from '../../tests/random.js';
import { Freezes } from './freezes.js';
import { ShownTimes } from './shown-times.js';
import { UnevenFrames } from './uneven-frames.js';

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

/**
 * What frames of 25 a second, of which each comes at once but those that are said to be late, are kept for, by the
 * second.
 */
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
    shown.noteWhole(ticks(ms), atMs);
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

/** Normal, by Box and Muller. */
const normal = (random: () => number) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

test('frames that come unevenly are kept for longer: 2.33 deviations of one from the next, less 30 ms', () => {
  const keptIn = (seconds: number, deviationMs: number) => {
    const random = randomFrom(7);
    const uneven = new UnevenFrames();
    for (let ms = 0; ms <= 1000 * seconds; ms += 40) uneven.note(ms, deviationMs * normal(random));
    return uneven.keptMs;
  };
  // What a link of 5 ms of jitter does is in the 30 ms.
  expect(keptIn(60, 5)).toBe(0);
  for (const deviation of [20, 30, 60]) {
    const expected = 2.33 * Math.SQRT2 * deviation - 31;
    expect(keptIn(60, deviation) / expected, `${deviation} ms`).toBeGreaterThan(0.85);
    expect(keptIn(60, deviation) / expected, `${deviation} ms`).toBeLessThan(1.15);
  }
});

test('frames that are held 200 ms in each second freeze for half a minute until they are kept for longer, and a single hold of a second always does', () => {
  /** In 40 s, and in 40 more. */
  const freezesIn = (heldMs: (ms: number) => number) => {
    const [shown, freezes] = [new ShownTimes(), new Freezes()];
    const counts: number[] = [];
    let readyMs = 0;
    for (let ms = 0; ms < 80_000; ms += 40) {
      readyMs = Math.max(readyMs, ms + heldMs(ms));
      shown.noteWhole(ticks(ms), readyMs);
      freezes.note(shown.of(ticks(ms), readyMs));
      if (ms % 40_000 === 0) counts.push(freezes.count);
    }
    const [, early = 0] = counts;
    return [early, freezes.count - early];
  };
  const [early, late] = freezesIn((ms) => (ms % 1000 === 0 ? 200 : 0));
  expect([early, late]).toEqual([33, 0]);
  expect(freezesIn((ms) => (ms === 60_000 ? 1000 : 0))).toEqual([0, 1]);
});

test('frames are kept until the sound of their stream is played, and are let go as sound is', () => {
  const shown = new ShownTimes();
  const keptFor = (ms: number, soundMs: number) => Math.round(shown.of(ticks(ms), 1_000 + ms, 0, soundMs) - 1_000 - ms);
  const kept: number[] = [];
  for (let ms = 0; ms <= 12_000; ms += 40) {
    const forMs = keptFor(ms, ms < 6_000 ? 400 : 110);
    if (ms % 2000 === 0) kept.push(forMs);
  }
  expect(kept).toEqual([27, 227, 300, 296, 96, 27, 27]);
});

test('frames that were repaired, and those that come behind later ones, say nothing of how evenly frames come', () => {
  const repaired = (ms: number) => ms > 0 && ms % 400 === 0;
  const kept = keptOf(20, undefined, (ms) => (repaired(ms) ? 150 : 0), repaired);
  expect(Math.max(...kept)).toBe(27);
});

test('frames that wait for one before them to be repaired did not come late, and are kept no longer for it', () => {
  const [shown, freezes] = [new ShownTimes(), new Freezes()];
  const frameMs = 1000 / 30;
  let readyMs = 0;
  let kept = 0;
  for (let nth = 0; nth < 900; nth += 1) {
    const takenMs = nth * frameMs;
    // Each second one is repaired 184 ms late, and the five behind it are decoded when it is.
    const isRepaired = nth % 30 === 29;
    const cameMs = takenMs + (isRepaired ? 184 : 0);
    if (isRepaired) shown.noteAskedFor(ticks(takenMs), cameMs);
    shown.noteWhole(ticks(takenMs), cameMs);
    readyMs = Math.max(readyMs, cameMs);
    const shownMs = shown.of(ticks(takenMs), readyMs);
    freezes.note(shownMs);
    if (nth % 30 === 28) kept = Math.max(kept, shownMs - takenMs);
  }
  expect(kept).toBeLessThan(28);
  // The next picture comes 184 + 33 − 27 ms after the one before: a freeze each time.
  expect(freezes.count).toBe(30);
});
