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
    left.push(`${name} ${(clock.nowMs() - beganMs).toFixed(1)}`);
    return packetBytes;
  };
  for (let nth = 0; nth < count; nth += 1) pacer.push(leaving(`new ${nth}`));
  for (let nth = 0; nth < again; nth += 1) pacer.pushAgain(leaving(`again ${nth}`));
  clock.forward(500);
  return left;
}

test('packets of a frame of usual size follow each other by 0.2 ms, and a key frame goes at 2.5 times the rate behind the first 40 ms of it', () => {
  expect(departures(2)).toEqual(['new 0 0.0', 'new 1 0.2']);
  // 156 bytes a millisecond: seven packets are 40 ms and a bit, and each further one waits for its 6.4 ms.
  expect(departures(10)).toEqual([
    ...[0, 1, 2, 3, 4, 5, 6].map((nth) => `new ${nth} ${(nth * 0.2).toFixed(1)}`),
    'new 7 5.2',
    'new 8 11.2',
    'new 9 18.2',
  ]);
});

test('what is asked for again goes before what waits', () => {
  expect(departures(9, 1).slice(0, 3)).toEqual(['new 0 0.0', 'again 0 0.2', 'new 1 0.4']);
  expect(departures(9, 1).slice(7)).toEqual(['new 6 5.2', 'new 7 11.2', 'new 8 18.2']);
});
