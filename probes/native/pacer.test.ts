import { expect, test } from '@playwright/test';
import { HandClock } from '../../tests/embedded/hand-clock.js';
import { Pacer } from './pacer.js';

const rateBps = 500_000;
const packetBytes = 1000;

/** When each of so many packets leaves, milliseconds after all of them were there. */
function departures(count: number, again = 0): readonly string[] {
  const clock = new HandClock();
  const pacer = new Pacer(clock, () => rateBps);
  const left: string[] = [];
  const beganMs = clock.nowMs();
  const leaving = (name: string) => () => {
    left.push(`${name} ${Math.round(clock.nowMs() - beganMs)}`);
    return packetBytes;
  };
  for (let nth = 0; nth < count; nth += 1) pacer.push(leaving(`new ${nth}`));
  for (let nth = 0; nth < again; nth += 1) pacer.pushAgain(leaving(`again ${nth}`));
  clock.forward(500);
  return left;
}

test('a frame of usual size leaves at once, and a key frame at 2.5 times the rate behind the first 40 ms of it', () => {
  expect(departures(2)).toEqual(['new 0 0', 'new 1 0']);
  // 156 bytes a millisecond: seven packets are 40 ms and a bit, and each further one waits for its 6.4 ms.
  expect(departures(10)).toEqual([
    ...[0, 1, 2, 3, 4, 5, 6].map((nth) => `new ${nth} 0`),
    'new 7 5',
    'new 8 12',
    'new 9 18',
  ]);
});

test('what is asked for again goes before what waits', () => {
  expect(departures(9, 1).slice(7)).toEqual(['again 0 5', 'new 7 12', 'new 8 18']);
});
