import { expect, test } from '@playwright/test';
import { broadcast } from '../scenarios/broadcast.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import { nativeOf, sentinelsOf } from './native-probes.js';
import { participantsOf } from './scenario.js';

const viewers = (size: number) => participantsOf(broadcast.sessions(size));

test('of a broadcast all but the presenter and the sentinels are native, and of calls nobody is', () => {
  expect([...nativeOf(viewers(3), '5%')]).toEqual([]);
  expect(nativeOf(viewers(10), '5%').size).toBe(6);
  expect(nativeOf(viewers(400), '5%').size).toBe(380);
  expect(nativeOf(viewers(400), 8).has('1p')).toBe(false);
  expect(nativeOf(participantsOf(oneToOne.sessions(20)), '5%').size).toBe(0);
});

test('sentinels are at least four, as many or the share that was asked for rounded up, and never more than there are', () => {
  const counts = [
    sentinelsOf(0, '5%'),
    sentinelsOf(3, '5%'),
    sentinelsOf(100, '1%'),
    sentinelsOf(81, '5%'),
    sentinelsOf(100, '10%'),
    sentinelsOf(100, 1),
    sentinelsOf(100, 30),
    sentinelsOf(20, 30),
  ];
  expect(counts).toEqual([0, 3, 4, 5, 10, 4, 30, 20]);
});

test('sentinels are spread evenly, the first viewer among them, and are as many as they should be for every size', () => {
  const native = nativeOf(viewers(100), 10);
  const at = viewers(100)
    .slice(1)
    .flatMap(({ id }, index) => (native.has(id) ? [] : [index]));
  expect(at).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80, 90]);
  const sizes = Array.from({ length: 300 }, (_, index) => index + 1);
  const wrong = sizes.filter((size) => size - nativeOf(viewers(size), '7%').size !== sentinelsOf(size, '7%'));
  expect(wrong).toEqual([]);
});
