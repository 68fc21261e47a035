import { expect, test } from '@playwright/test';
import type { Clock } from '../rtp/egress.js';
import { ColdStart } from './cold-start.js';

/** A clock that is moved by hand. */
function handClock() {
  let nowMs = 0;
  let timers: { readonly atMs: number; readonly act: () => void }[] = [];
  const clock: Clock = {
    nowMs: () => nowMs,
    after: (ms, act) => {
      const timer = { atMs: nowMs + ms, act };
      timers.push(timer);
      return () => {
        timers = timers.filter((one) => one !== timer);
      };
    },
  };
  const moveTo = async (ms: number): Promise<void> => {
    nowMs = ms;
    for (const timer of timers.filter(({ atMs }) => atMs <= ms)) timer.act();
    timers = timers.filter(({ atMs }) => atMs > ms);
    await new Promise<void>((resolve) => setImmediate(resolve));
  };
  return { clock, moveTo, waiting: () => timers.length };
}

test('of a cold server the first offers are answered together when it is warm, and later ones at once', async () => {
  const { clock, moveTo } = handClock();
  const cold = new ColdStart(clock, 4500);
  const answered: string[] = [];
  const offer = (name: string): void => void cold.warm().then(() => answered.push(name));
  offer('first');
  await moveTo(3000);
  offer('second');
  await moveTo(4499);
  expect(answered).toEqual([]);
  await moveTo(4500);
  expect(answered).toEqual(['first', 'second']);
  offer('third');
  await moveTo(4500);
  expect(answered).toEqual(['first', 'second', 'third']);
});

test('a warm server sets no timer, and a cold one that closes keeps none', () => {
  const { clock, waiting } = handClock();
  void new ColdStart(clock, 0).warm();
  expect(waiting()).toBe(0);
  const cold = new ColdStart(clock, 4500);
  void cold.warm();
  expect(waiting()).toBe(1);
  cold.close();
  expect(waiting()).toBe(0);
});
