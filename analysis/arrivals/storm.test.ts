import { expect, test } from '@playwright/test';
import type { ArrivedJoin } from '../../model/join.js';
import { stormRecord } from './storm-record.js';

const window = { startMs: 0, endMs: 30_000 };
const atMs = 10_000;
const joined = (participant: string, dueMs: number, waitMs: number): ArrivedJoin => ({
  ...{ participant, session: participant, dueMs, begunMs: dueMs },
  ...{ answeredMs: dueMs + waitMs, endedMs: dueMs + waitMs },
});
/** One every 100 ms, who waits as long as the test says of when it is due. */
const steady = (waitMs: (dueMs: number) => number) =>
  Array.from({ length: 300 }, (_, nth) => joined(`s${nth}`, 100 * nth, waitMs(100 * nth)));
const storm = Array.from({ length: 50 }, (_, nth) => joined(`x${nth}`, atMs, 20 * (nth + 1)));
const participants = new Set(storm.map(({ participant }) => participant));
const of = (joins: readonly ArrivedJoin[]) => stormRecord({ atMs, joins, participants, window });

test('a storm is over when all of it are answered and nobody who comes evenly waits twice as long as before', () => {
  // A queue of a second that the storm left is worked off by 12.5 s.
  const queued = steady((dueMs) => (dueMs < atMs ? 30 : Math.max(30, 1000 - (dueMs - atMs) * 0.4)));
  const { overMs, allAnsweredMs, usualMs, answered, due } = of([...queued, ...storm]);
  expect([due, answered, allAnsweredMs, usualMs]).toEqual([50, 50, 1000, 30]);
  // The first who waits for 60 ms at most is due 2.35 s after it, and comes at the next even moment.
  expect(overMs).toBe(2400);
});

test('a storm that nobody else felt is over when the last of it is answered', () => {
  expect(of([...steady(() => 5), ...storm]).overMs).toBe(1000);
});

test('a storm is not said to be over when one of it never came in, when the last still waited, or when nobody came before it', () => {
  const refused: ArrivedJoin = {
    ...{ participant: 'x0', session: 'x0', dueMs: atMs, begunMs: atMs, endedMs: atMs + 5 },
    failure: { code: 'refused', detail: 'full' },
  };
  const oneLess = of([...steady(() => 5), refused, ...storm.slice(1)]);
  expect(oneLess).toMatchObject({ answered: 49, refused: 1, stalled: 0, failed: 0 });
  expect([oneLess.allAnsweredMs, oneLess.overMs]).toEqual([undefined, undefined]);
  const untold = of([...steady(() => 5), ...storm.slice(1)]);
  expect([untold.failed, untold.overMs]).toEqual([1, undefined]);
  expect(of([...steady((dueMs) => (dueMs < atMs ? 5 : 500)), ...storm]).overMs).toBeUndefined();
  expect(of(storm)).toMatchObject({ answered: 50, allAnsweredMs: 1000 });
  expect(of(storm).overMs).toBeUndefined();
});
