import { expect, test } from '@playwright/test';
import { lostTogether } from '../../model/network-record.js';
import { countedSince, droppedIn } from './drops.js';

test('what ip tells of an interface is counted, and what it does not tell is unknown', () => {
  const said = (dropped: number) => JSON.stringify([{ ifname: 'p0', stats64: { tx: { packets: 9, dropped } } }]);
  expect(droppedIn(said(4))).toBe(4);
  expect(droppedIn(said(0))).toBe(0);
  for (const nothing of ['', 'Device "p0" does not exist.', '[]', '[{"ifname":"p0"}]']) {
    expect(droppedIn(nothing)).toBeUndefined();
  }
});

test('one interface that cannot be read makes the sum unknown, and so does a count that was not read or fell', () => {
  expect([lostTogether([]), lostTogether([3, 0, 4]), lostTogether([3, undefined])]).toEqual([0, 7, undefined]);
  expect([countedSince(3, 5), countedSince(undefined, 5), countedSince(3, undefined), countedSince(5, 3)]).toEqual([
    ...[2, undefined, undefined, undefined],
  ]);
});
