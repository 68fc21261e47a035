import { expect, test } from '@playwright/test';
import type { Link } from '../../model/network.js';
import { netemArguments } from './netem-arguments.js';

const table: readonly (readonly [string, Link, string])[] = [
  ['nothing', {}, 'limit 10000'],
  ['a delay', { delayMs: 40 }, 'limit 10000 delay 40000us'],
  ['a delay below a millisecond', { delayMs: 0.25 }, 'limit 10000 delay 250us'],
  ['jitter', { delayMs: 40, jitterMs: 5 }, 'limit 10000 delay 40000us 5000us'],
  ['no jitter', { delayMs: 40, jitterMs: 0, distribution: 'normal' }, 'limit 10000 delay 40000us'],
  ['uniform jitter', { delayMs: 40, jitterMs: 5, distribution: 'uniform' }, 'limit 10000 delay 40000us 5000us'],
  [
    'correlated normal jitter',
    { delayMs: 40, jitterMs: 5, jitterCorrelationPercent: 25, distribution: 'normal' },
    'limit 10000 delay 40000us 5000us 25% distribution normal',
  ],
  ['loss', { loss: { kind: 'random', percent: 2 } }, 'limit 10000 loss random 2%'],
  [
    'correlated loss',
    { loss: { kind: 'random', percent: 2, correlationPercent: 30 } },
    'limit 10000 loss random 2% 30%',
  ],
  [
    'bursts of loss',
    { loss: { kind: 'bursts', enterPercent: 0.618557, leavePercent: 20, lossInBadPercent: 100, lossInGoodPercent: 0 } },
    'limit 10000 loss gemodel 0.618557% 20% 100% 0%',
  ],
  ['duplicates', { duplicatePercent: 1 }, 'limit 10000 duplicate 1%'],
  ['correlated duplicates', { duplicatePercent: 1, duplicateCorrelationPercent: 5 }, 'limit 10000 duplicate 1% 5%'],
  [
    'reordering',
    { delayMs: 20, reorderPercent: 5, reorderCorrelationPercent: 50 },
    'limit 10000 delay 20000us reorder 5% 50%',
  ],
  ['corruption', { corruptPercent: 0.1 }, 'limit 10000 corrupt 0.1%'],
  ['a rate without a delay', { rateBps: 400_000 }, 'limit 20 rate 400000bit'],
  // 125 bytes a millisecond: 300 ms of 1200 bytes wait, 180 ms of 200 bytes are on their way.
  [
    'a rate with a delay',
    { rateBps: 1_000_000, delayMs: 175, jitterMs: 5 },
    'limit 144 delay 175000us 5000us rate 1000000bit',
  ],
  ['a queue in packets', { rateBps: 1_000_000, queuePackets: 7 }, 'limit 7 rate 1000000bit'],
  ['a queue in time', { rateBps: 1_000_000, queueMs: 48 }, 'limit 5 rate 1000000bit'],
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
    'limit 40 delay 175000us loss random 5% duplicate 1% reorder 2% corrupt 3% rate 400000bit',
  ],
];

for (const [what, link, words] of table) {
  test(`${what}: netem ${words}`, () => {
    expect(netemArguments(link).join(' ')).toBe(words);
  });
}
