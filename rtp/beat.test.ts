import { expect, test } from '@playwright/test';
import { HandClock } from '../tests/embedded/hand-clock.js';
import { startBeat } from './beat.js';

test('beats of many periods that share a timer each come at their own times, in order, none twice and none left out', () => {
  const clock = new HandClock();
  const heard = new Map<number, number[]>();
  const periods = Array.from({ length: 40 }, (_, nth) => 7 + ((nth * 13) % 29) + nth / 40);
  const wrong: string[] = [];
  for (const [nth, periodMs] of periods.entries()) {
    const startedMs = clock.nowMs();
    heard.set(nth, []);
    startBeat(clock, periodMs, (first, last) => {
      for (let beat = first; beat <= last; beat += 1) {
        heard.get(nth)?.push(beat);
        const dueMs = startedMs + beat * periodMs;
        if (clock.nowMs() < dueMs - 0.01 || clock.nowMs() > dueMs + 3)
          wrong.push(`${nth}: ${beat} at ${clock.nowMs()}`);
      }
    });
    clock.forward(3);
  }
  clock.forward(1000);
  expect(wrong).toEqual([]);
  const uneven = [...heard].filter(
    ([nth, beats]) => beats.some((beat, at) => beat !== at) || beats.length < 900 / (periods[nth] ?? 1),
  );
  expect(uneven).toEqual([]);
});

test('a beat that has ended is not heard again, and the others go on', () => {
  const clock = new HandClock();
  const heard = { ended: 0, other: 0 };
  const end = startBeat(clock, 10, () => {
    heard.ended += 1;
    if (heard.ended === 3) end();
  });
  startBeat(clock, 10, () => {
    heard.other += 1;
  });
  clock.forward(200);
  expect(heard.ended).toBe(3);
  expect(heard.other).toBeGreaterThanOrEqual(20);
});
