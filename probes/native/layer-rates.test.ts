import { expect, test } from '@playwright/test';
import { neededRate, sharedRates } from './layer-rates.js';

const layers = (...on: readonly boolean[]) =>
  [
    { width: 320, height: 180, kbps: 200 },
    { width: 640, height: 360, kbps: 600 },
    { width: 1280, height: 720, kbps: 1700 },
  ].map((one, nth) => ({ ...one, isOn: on[nth] ?? true }));

test('of what is allowed the lower layers get theirs first, and the highest what is left', () => {
  expect(sharedRates(2468, layers())).toEqual([200, 600, 1668]);
  expect(sharedRates(1500, layers())).toEqual([200, 600, 700]);
});

test('a layer that gets less than its least is left out with all above it, and the lowest never is', () => {
  expect(sharedRates(1300, layers())).toEqual([200, 600, 0]);
  expect(sharedRates(300, layers())).toEqual([200, 0, 0]);
  expect(sharedRates(-20, layers())).toEqual([1, 0, 0]);
});

test('one that was left out comes back a fifth above its least, and a video without layers has it all', () => {
  expect(sharedRates(1450, layers(true, true, false))).toEqual([200, 600, 0]);
  expect(sharedRates(1550, layers(true, true, false))).toEqual([200, 600, 750]);
  expect(sharedRates(400, [{ width: 640, height: 360, kbps: 250, isOn: true }])).toEqual([400]);
});

test('what is needed for the next layer is what the lower ones have, and a fifth above its least', () => {
  expect(neededRate(layers(true, true, false))).toBe(200 + 600 + 720);
  expect(neededRate(layers(true, false, false))).toBe(200 + 180);
  expect(neededRate(layers())).toBe(0);
});
