import { getEventListeners } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { atMost, unlessAborted, within } from './bounded-wait.js';

const never = new Promise<never>(() => undefined);
const late = () => new Error('too late');

test('work that is done in time gives what it gave, or fails as it failed', async () => {
  expect(await atMost(60_000, Promise.resolve(7))).toEqual({ inTime: true, value: 7 });
  expect(await within(60_000, Promise.resolve(7), late)).toBe(7);
  await expect(atMost(60_000, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});

test('work that is late is left behind, and what becomes of it later is no error of anybody', async () => {
  let fail = () => {};
  const failing = new Promise<never>((_, reject) => {
    fail = () => reject(new Error('nobody hears this'));
  });
  expect(await atMost(1, failing)).toEqual({ inTime: false });
  await expect(within(1, never, late)).rejects.toThrow('too late');
  // A rejection that nobody handles would end this process of the test.
  fail();
  await turn();
});

test('an abort ends the wait with its reason, before it and during it, and no listener stays', async () => {
  const stop = new AbortController();
  const { signal } = stop;
  const waiting = unlessAborted(signal, never);
  expect(await unlessAborted(signal, Promise.resolve(7))).toBe(7);
  stop.abort(new Error('asked to stop'));
  await expect(waiting).rejects.toThrow('asked to stop');
  await expect(unlessAborted(signal, never)).rejects.toThrow('asked to stop');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
