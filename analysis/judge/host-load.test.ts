import { expect, test } from '@playwright/test';
import { hostLoadIn } from './host-load.js';

const window = { startMs: 0, endMs: 60_000 };

/** Of a host with a link, by when it was read, and whether it was full then. */
const loadOf = (...read: readonly (readonly [seconds: number, isFull: boolean])[]) =>
  hostLoadIn(
    {
      sameHost: false,
      evidence: {
        server: [],
        probeHost: read.map(([seconds, isFull]) => ({
          ...{ atMs: 1000 * seconds, cores: 4, stealCores: 0, memoryAvailableMb: 1000, throttledShare: isFull ? 1 : 0 },
          ...{ busyCores: isFull ? 4 : 1, probeCores: isFull ? 3 : 1, linkKbps: isFull ? 99 : 1, linkSpeedKbps: 100 },
        })),
      },
    },
    window,
  );

test('a host that is full is read late, and its fullness is a share of the time and not of the readings', () => {
  const idle = Array.from({ length: 52 }, (_, nth) => [nth + 1, false] as const);
  const load = loadOf(...idle, [55, true], [58, true], [60, true]);
  const share = 8 / 60;
  expect(load?.seconds).toBe(60);
  expect(load?.saturatedShare).toBeCloseTo(share, 9);
  expect(load?.linkFullShare).toBeCloseTo(share, 9);
  expect(load?.throttledShare).toBeCloseTo(share, 9);
});

test('of a reading that began before the window, what is in it counts', () => {
  expect(loadOf([-4, false], [1, true], [4, false])?.saturatedShare).toBeCloseTo(1 / 4, 9);
  expect(loadOf([-4, false], [0, true], [4, false])?.saturatedShare).toBe(0);
});

test('the first reading of all tells of no more than the second: nothing says when it began', () => {
  expect(loadOf([30, true], [31, false], [32, false], [33, false])?.saturatedShare).toBeCloseTo(1 / 4, 9);
  expect(loadOf([61, true])).toBeUndefined();
});
