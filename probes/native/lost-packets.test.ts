import { expect, test } from '@playwright/test';
import { seededRandom } from '../../model/seeded-random.js';
import { dueEveryMs, LostPackets } from './lost-packets.js';

test('a missing packet is asked for at once, again after each round trip, ten times in all, and then no more', () => {
  const lost = new LostPackets();
  expect([lost.note(1, 0), lost.note(2, 10), lost.note(5, 20)]).toEqual([undefined, undefined, [3, 4]]);
  const asked: number[] = [];
  for (let ms = 20; ms < 3000; ms += dueEveryMs) if (lost.due(ms, 50).length > 0) asked.push(ms);
  // 50 ms after the last time, when it is looked.
  expect(asked).toEqual([80, 140, 200, 260, 320, 380, 440, 500, 560]);
  expect(lost.any).toBe(false);
});

test('without a known round trip a packet is asked for each 100 ms', () => {
  const lost = new LostPackets();
  lost.note(1, 0);
  lost.note(3, 0);
  const asked: number[] = [];
  for (let ms = 0; ms <= 300; ms += dueEveryMs) if (lost.due(ms).length > 0) asked.push(ms);
  expect(asked).toEqual([100, 200, 300]);
});

test('once packets have overtaken each other, one that is missing has until it is looked next', () => {
  const lost = new LostPackets();
  expect([1, 3, 2].map((number) => lost.note(number, 0))).toEqual([undefined, [2], undefined]);
  expect(lost.note(5, 10)).toBeUndefined();
  expect(lost.due(20)).toEqual([4]);
});

test('a resent packet of a stream of its own overtakes nothing, and is asked for no more', () => {
  const lost = new LostPackets();
  lost.note(1, 0);
  expect(lost.note(3, 0)).toEqual([2]);
  lost.recovered(2);
  expect(lost.any).toBe(false);
  expect(lost.note(6, 10)).toEqual([4, 5]);
});

test('what is before a frame that was decoded is of no use any more', () => {
  const lost = new LostPackets();
  lost.note(1, 0);
  lost.note(4, 0);
  lost.note(8, 0);
  lost.clearBefore(5);
  expect(lost.due(100)).toEqual([5, 6, 7]);
});

test('more than a thousand missing packets need a key frame, and none of them is asked for', () => {
  const lost = new LostPackets();
  lost.note(1, 0);
  expect(lost.note(1003, 0)).toBe('too-many');
  expect([lost.any, lost.due(200)]).toEqual([false, []]);
  expect(lost.note(2004, 0)).toHaveLength(1000);
});

test('of random losses every packet that does not come is asked for ten times, no other one after it came, and numbers wrap', () => {
  for (let seed = 1; seed <= 30; seed += 1) {
    const random = seededRandom(seed);
    const lost = new LostPackets();
    const asked = new Map<number, number>();
    const gone = new Set<number>();
    const ask = (numbers: readonly number[]): void => {
      for (const number of numbers) asked.set(number, (asked.get(number) ?? 0) + 1);
    };
    const first = 65_400;
    for (let ms = 0; ms < 6000; ms += 10) {
      const extended = first + ms / 10;
      if (ms > 0 && ms < 3000 && random() < 0.2) gone.add(extended & 0xffff);
      else {
        const found = lost.note(extended, ms);
        // No `expect` for each of 18,000 packets: the runner is told of every one.
        if (found === 'too-many') throw new Error('20 % of losses need no key frame');
        if (found) ask(found);
      }
      if (ms % dueEveryMs === 0) ask(lost.due(ms, 30));
    }
    expect(new Map([...gone].map((number) => [number, 10]))).toEqual(
      new Map([...asked].sort(([a], [b]) => order(a) - order(b))),
    );
  }
});

/** In the order in which they were sent. */
const order = (number: number): number => (number < 65_400 ? number + 65_536 : number);
