import { expect, test } from '@playwright/test';
import type { Link } from '../../model/network.js';
import { netemArguments } from './netem-arguments.js';

const table: readonly (readonly [string, Link, string])[] = [
  ['nothing', {}, 'limit 10000 delay 0us 0us 0% corrupt 0% rate 0bit'],
  ['a delay', { delayMs: 40 }, 'limit 10000 delay 40000us 0us 0% corrupt 0% rate 0bit'],
  ['a delay below a millisecond', { delayMs: 0.25 }, 'limit 10000 delay 250us 0us 0% corrupt 0% rate 0bit'],
  ['jitter', { delayMs: 40, jitterMs: 5 }, 'limit 10000 delay 40000us 5000us 0% corrupt 0% rate 0bit'],
  [
    'no jitter',
    { delayMs: 40, jitterMs: 0, distribution: 'normal' },
    'limit 10000 delay 40000us 0us 0% corrupt 0% rate 0bit',
  ],
  [
    'uniform jitter',
    { delayMs: 40, jitterMs: 5, distribution: 'uniform' },
    'limit 10000 delay 40000us 5000us 0% corrupt 0% rate 0bit',
  ],
  [
    'correlated normal jitter',
    { delayMs: 40, jitterMs: 5, jitterCorrelationPercent: 25, distribution: 'normal' },
    'limit 10000 delay 40000us 5000us 25% distribution normal corrupt 0% rate 0bit',
  ],
  [
    'loss',
    { loss: { kind: 'random', percent: 2 } },
    'limit 10000 delay 0us 0us 0% loss random 2% corrupt 0% rate 0bit',
  ],
  [
    'correlated loss',
    { loss: { kind: 'random', percent: 2, correlationPercent: 30 } },
    'limit 10000 delay 0us 0us 0% loss random 2% 30% corrupt 0% rate 0bit',
  ],
  [
    'bursts of loss',
    { loss: { kind: 'bursts', enterPercent: 0.618557, leavePercent: 20, lossInBadPercent: 100, lossInGoodPercent: 0 } },
    'limit 10000 delay 0us 0us 0% loss gemodel 0.618557% 20% 100% 0% corrupt 0% rate 0bit',
  ],
  ['duplicates', { duplicatePercent: 1 }, 'limit 10000 delay 0us 0us 0% duplicate 1% corrupt 0% rate 0bit'],
  [
    'correlated duplicates',
    { duplicatePercent: 1, duplicateCorrelationPercent: 5 },
    'limit 10000 delay 0us 0us 0% duplicate 1% 5% corrupt 0% rate 0bit',
  ],
  [
    'reordering',
    { delayMs: 20, reorderPercent: 5, reorderCorrelationPercent: 50 },
    'limit 10000 delay 20000us 0us 0% reorder 5% 50% corrupt 0% rate 0bit',
  ],
  ['corruption', { corruptPercent: 0.1 }, 'limit 10000 delay 0us 0us 0% corrupt 0.1% rate 0bit'],
  ['a rate without a delay', { rateBps: 400_000 }, 'limit 20 delay 0us 0us 0% corrupt 0% rate 400000bit'],
  // 125 bytes a millisecond: 300 ms of 1200 bytes wait, 180 ms of 200 bytes are on their way.
  [
    'a rate with a delay',
    { rateBps: 1_000_000, delayMs: 175, jitterMs: 5 },
    'limit 144 delay 175000us 5000us 0% corrupt 0% rate 1000000bit',
  ],
  [
    'a queue in packets',
    { rateBps: 1_000_000, queuePackets: 7 },
    'limit 7 delay 0us 0us 0% corrupt 0% rate 1000000bit',
  ],
  ['a queue in time', { rateBps: 1_000_000, queueMs: 48 }, 'limit 5 delay 0us 0us 0% corrupt 0% rate 1000000bit'],
  [
    'all of it',
    {
      delayMs: 175,
      loss: { kind: 'random', percent: 5 },
      duplicatePercent: 1,
      reorderPercent: 2,
      corruptPercent: 3,
      rateBps: 400_000,
      queuePackets: 40,
    },
    'limit 40 delay 175000us 0us 0% loss random 5% duplicate 1% reorder 2% corrupt 3% rate 400000bit',
  ],
];

for (const [what, link, words] of table) {
  test(`${what}: netem ${words}`, () => {
    expect(netemArguments(link).join(' ')).toBe(words);
  });
}

test('a change writes out whatever an earlier link may have left on', () => {
  const words = netemArguments({});
  for (const off of ['rate 0bit', 'corrupt 0%', 'delay 0us 0us 0%']) expect(words.join(' ')).toContain(off);
});
