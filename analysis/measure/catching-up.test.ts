import { expect, test } from '@playwright/test';
import type { Sample } from '../../model/sample.js';
import { CatchingUp } from './catching-up.js';

/** One reading each second of a viewer whose jitter buffer of sound has these milliseconds. */
function samples(buffersMs: readonly (number | undefined)[], probe = '1v1'): Sample[] {
  return buffersMs.map((jitterBufferMs, second) => ({
    probe,
    atMs: second * 1000,
    intervalMs: 1000,
    lateMs: 0,
    legs: [],
    streams: [
      { leg: 'in', direction: 'receive', kind: 'video', metrics: { jitterBufferMs: 900 - second * 100 } },
      {
        leg: 'in',
        direction: 'receive',
        kind: 'audio',
        metrics: jitterBufferMs === undefined ? {} : { jitterBufferMs },
      },
    ],
  }));
}

/** The seconds at the end of which something catches up. */
function catches(all: readonly Sample[]): number[] {
  const watch = new CatchingUp();
  return all.flatMap((sample) => {
    watch.add(sample);
    return watch.isAny(sample.atMs) ? [sample.atMs / 1000] : [];
  });
}

test('sound that is 2 s behind catches up until less than 200 ms of it wait', () => {
  const buffers = Array.from({ length: 60 }, (_, second) => Math.max(60, 2000 - 44 * second));
  expect(catches(samples(buffers))).toEqual(Array.from({ length: 41 }, (_, second) => second));
});

test('a buffer of usual length, one that nobody knows, and one of pictures are at rest', () => {
  expect(catches(samples(Array.from({ length: 20 }, (_, second) => (second % 2 === 0 ? 40 : 190))))).toEqual([]);
  expect(catches(samples(Array.from({ length: 20 }, () => undefined)))).toEqual([]);
});

test('a long one that stays as long as it is, or grows, is judged and holds nothing up', () => {
  for (const growth of [0, 30, 200])
    expect(catches(samples(Array.from({ length: 20 }, (_, second) => 600 + growth * second)))).toEqual([
      0, 1, 2, 3, 4, 5, 6,
    ]);
});

test('one whose probe tells nothing any more holds nothing up after 5 s', () => {
  const watch = new CatchingUp();
  for (const sample of samples([2000, 1950, 1900])) watch.add(sample);
  expect([watch.isAny(6000), watch.isAny(7000)]).toEqual([true, false]);
});
