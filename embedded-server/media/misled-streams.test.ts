import { expect, test } from '@playwright/test';
import { FanOut } from './fan-out.js';
import { misledBy } from './misled-streams.js';

const [one, other, third] = [new FanOut(), new FanOut(), new FanOut()];

test('what two send goes to each other’s receivers, and what a third sends where it should', () => {
  const swapped = misledBy('swapped');
  expect(swapped?.inPlaceOf(one), 'alone').toBe(one);
  expect([other, third, one].map((inputs) => swapped?.inPlaceOf(inputs))).toEqual([one, third, other]);
  swapped?.forget(one);
  expect(swapped?.inPlaceOf(third)).toBe(other);
});

test('what one sends goes to nobody, and when it is gone, what the next one sends', () => {
  const missing = misledBy('missing');
  const isMissing = (inputs: FanOut) => missing?.inPlaceOf(inputs) !== inputs;
  expect([one, other, one].map(isMissing)).toEqual([true, false, true]);
  missing?.forget(one);
  expect([other, one].map(isMissing)).toEqual([true, false]);
});

test('other faults mislead nothing', () => {
  expect([misledBy('still'), misledBy('silent'), misledBy(undefined)]).toEqual([undefined, undefined, undefined]);
});
