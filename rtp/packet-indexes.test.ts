import { expect, test } from '@playwright/test';
import { seededRandom } from '../model/seeded-random.js';
import { PacketIndexes } from './packet-indexes.js';

const takes = (indexes: PacketIndexes, index: number, ssrc = 1): boolean => {
  const isNew = indexes.isNew(ssrc, index);
  if (isNew) indexes.passed(ssrc, index);
  return isNew;
};

test('each packet is taken once, whatever their order and whatever is lost, and none that is older than the window', () => {
  const random = seededRandom(3);
  const indexes = new PacketIndexes();
  const taken = new Set<number>();
  let highest = 0;
  const wrong: number[] = [];
  for (let nth = 0; nth < 100_000; nth += 1) {
    const leap = random() < 0.001 ? 3000 : 0;
    const index = Math.max(0, highest + leap + Math.floor(random() * 40) - Math.floor(random() * 1500));
    const expected = !taken.has(index) && index > highest - 1024;
    if (nth > 0 && takes(indexes, index) !== expected) wrong.push(index);
    if (nth === 0) takes(indexes, index);
    taken.add(index);
    highest = Math.max(highest, index);
  }
  expect(wrong).toEqual([]);
});

test('each stream has a window of its own, and the highest number of SRTCP is a number as others are', () => {
  const indexes = new PacketIndexes();
  expect([takes(indexes, 5, 1), takes(indexes, 5, 2), takes(indexes, 5, 1), takes(indexes, 5, 2)]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  const last = 2 ** 31 - 1;
  expect([takes(indexes, last - 1), takes(indexes, last), takes(indexes, last), takes(indexes, last - 1)]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('streams that somebody makes up are not kept without end', () => {
  const indexes = new PacketIndexes();
  const taken = Array.from({ length: 10_000 }, (_, ssrc) => takes(indexes, 1, ssrc));
  expect(taken.filter(Boolean)).toHaveLength(4096);
});

test('a number from before the first packet is a jump ahead, as in libsrtp: whoever sends it counts so, too', () => {
  const indexes = new PacketIndexes();
  const placed = [1, 65_535, 2, 3].map((sequenceNumber) => {
    const index = indexes.of(1, sequenceNumber);
    indexes.passed(1, index);
    return [Math.floor(index / 65_536), index & 0xffff];
  });
  expect(placed).toEqual([
    [0, 1],
    [0, 65_535],
    [1, 2],
    [1, 3],
  ]);
});
