import { expect, test } from '@playwright/test';
import { broadcast } from '../scenarios/broadcast.js';
import { sfuGroup } from '../scenarios/group.js';
import { onConnections } from '../scenarios/on-connections.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import { nativeOf, sentinelsOf } from './native-probes.js';
import { participantsOf } from './scenario.js';

const viewers = (size: number) => participantsOf(broadcast.sessions(size));

const callers = (calls: number) => participantsOf(oneToOne.sessions(calls));

test('of a broadcast the presenter and all viewers but the sentinels are native, of calls all participants but those', () => {
  expect([...nativeOf(viewers(3), '5%')]).toEqual(['1p']);
  expect(nativeOf(viewers(10), '5%').size).toBe(7);
  expect(nativeOf(viewers(400), '5%').size).toBe(381);
  expect(nativeOf(callers(2), '5%').size).toBe(0);
  expect(nativeOf(callers(20), '5%').size).toBe(36);
  expect(nativeOf(participantsOf(sfuGroup(4).sessions(5)), 5).size).toBe(15);
});

test('who receives several on one connection is played by a browser', () => {
  expect(nativeOf(participantsOf(onConnections(sfuGroup(4), 'one').sessions(5)), 5).size).toBe(0);
  expect(nativeOf(participantsOf(onConnections(sfuGroup(4), 'each').sessions(5)), 5).size).toBe(15);
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
  const wrong = sizes.filter((size) => size + 1 - nativeOf(viewers(size), '7%').size !== sentinelsOf(size, '7%'));
  expect(wrong).toEqual([]);
});
