import { expect, test } from '@playwright/test';
import { LoadlineError } from '../../model/errors.js';
import { linksAt, type Network, networksSchema } from '../../model/network.js';
import { networkPresetNames } from './presets.js';
import { readNetworks } from './read-networks.js';

const where = '--network';

function one(text: string): Network {
  const [network, ...rest] = readNetworks(text, where);
  if (!network || rest.length > 0) throw new Error(`${text} is not one network`);
  return network;
}

const links: readonly (readonly [string, object])[] = [
  ['40ms', { delayMs: 40 }],
  ['delay 0.5s', { delayMs: 500 }],
  ['40ms 5ms, 2% loss, 1mbit', { delayMs: 40, jitterMs: 5, loss: { kind: 'random', percent: 2 }, rateBps: 1_000_000 }],
  ['40ms; 5ms jitter', { delayMs: 40, jitterMs: 5 }],
  ['40ms 5ms 25% normal', { delayMs: 40, jitterMs: 5, jitterCorrelationPercent: 25, distribution: 'normal' }],
  ['40ms 5ms pareto', { delayMs: 40, jitterMs: 5, distribution: 'pareto' }],
  ['loss 2% 25%', { loss: { kind: 'random', percent: 2, correlationPercent: 25 } }],
  [
    '20% loss in bursts of 4',
    { loss: { kind: 'bursts', enterPercent: 6.25, leavePercent: 25, lossInBadPercent: 100, lossInGoodPercent: 0 } },
  ],
  [
    'gemodel 1% 20% 70% 0.1%',
    { loss: { kind: 'bursts', enterPercent: 1, leavePercent: 20, lossInBadPercent: 70, lossInGoodPercent: 0.1 } },
  ],
  ['1% duplicate', { duplicatePercent: 1 }],
  ['1% duplication 50%', { duplicatePercent: 1, duplicateCorrelationPercent: 50 }],
  ['20ms, 5% reorder 50%', { delayMs: 20, reorderPercent: 5, reorderCorrelationPercent: 50 }],
  ['0.1% corrupt', { corruptPercent: 0.1 }],
  ['400kbit queue 50', { rateBps: 400_000, queuePackets: 50 }],
  ['1.5Mbit queue 200ms', { rateBps: 1_500_000, queueMs: 200 }],
  ['rate 1mbit', { rateBps: 1_000_000 }],
  ['1Mbit/s', { rateBps: 1_000_000 }],
  ['2 Mbit/s', { rateBps: 2_000_000 }],
  ['50 ms', { delayMs: 50 }],
  ['delay 100ms', { delayMs: 100 }],
  ['delay 100ms 20ms distribution normal', { delayMs: 100, jitterMs: 20, distribution: 'normal' }],
  ['loss 0.3% 25%', { loss: { kind: 'random', percent: 0.3, correlationPercent: 25 } }],
  [
    'loss gemodel 1% 10% 70% 0.1%',
    { loss: { kind: 'bursts', enterPercent: 1, leavePercent: 10, lossInBadPercent: 70, lossInGoodPercent: 0.1 } },
  ],
  ['poor-3g', { delayMs: 175, loss: { kind: 'random', percent: 5 }, rateBps: 400_000 }],
  ['poor-3g, 10% loss', { delayMs: 175, loss: { kind: 'random', percent: 10 }, rateBps: 400_000 }],
  ['clean', {}],
];

for (const [text, link] of links) {
  test(`"${text}" is read the same for both directions`, () => {
    expect(one(text)).toEqual({ name: text.replaceAll(';', ','), sharePercent: 100, up: link, down: link, steps: [] });
  });
}

test('up and down hold for themselves and for what follows', () => {
  const { up, down } = one('up 40ms, 2% loss, down: 20ms, 1mbit, both 1% corrupt');
  expect(up).toEqual({ delayMs: 40, loss: { kind: 'random', percent: 2 }, corruptPercent: 1 });
  expect(down).toEqual({ delayMs: 20, rateBps: 1_000_000, corruptPercent: 1 });
});

test('groups have shares, and a percentage of packets is none', () => {
  const [most, few, ...rest] = readNetworks('90% clean, 10% 40ms, 2% loss, 5% reorder', where);
  expect(rest).toEqual([]);
  expect(most).toMatchObject({ name: 'clean', sharePercent: 90, up: {} });
  expect(few).toMatchObject({ name: '40ms, 2% loss, 5% reorder', sharePercent: 10, up: { reorderPercent: 5 } });
});

test('a step changes what it names, for its time, and then the rest is as before', () => {
  const network = one('40ms, 1% loss; at 60s: 5% loss, up 80ms for 20s; at 2m: down 1mbit');
  const loss = (atMs: number) => linksAt(network, atMs).up.loss;
  expect(loss(59_999)).toEqual({ kind: 'random', percent: 1 });
  expect(loss(60_000)).toEqual({ kind: 'random', percent: 5 });
  expect(loss(80_000)).toEqual({ kind: 'random', percent: 1 });
  expect(linksAt(network, 70_000)).toMatchObject({ up: { delayMs: 80 }, down: { delayMs: 40 } });
  expect(linksAt(network, 130_000)).toMatchObject({ up: { delayMs: 40 }, down: { rateBps: 1_000_000 } });
  expect(linksAt(network, 130_000).up.rateBps).toBeUndefined();
});

test('every preset is a network that a plan may hold', () => {
  for (const name of networkPresetNames) expect(networksSchema.safeParse(readNetworks(name, where)).success).toBe(true);
});

const wrong: readonly (readonly [string, string])[] = [
  ['-3% loss', 'The loss must be from 0% to 100%, not -3%.'],
  ['101% loss', 'The loss must be from 0% to 100%, not 101%.'],
  ['3 loss', '"3" has no unit'],
  ['5ms jitter', 'Jitter of 5 ms needs a delay'],
  ['0ms 5ms', 'Jitter of 5 ms needs a delay'],
  ['5ms 40ms', 'Jitter of 40 ms is more than the delay'],
  ['40sec', '"40sec" has no unit'],
  ['5mb', '"5mb" has no unit'],
  ['40ms 5m', 'The jitter must be a time with its unit'],
  ['-40ms', 'The delay must be from 0ms to 60s, not -40ms.'],
  ['1e999ms', '"1e999ms"'],
  ['0kbit', 'A rate is 1kbit or more'],
  ['1mbps', '"1mbps" is bytes a second to tc, and bits a second to most others.'],
  ['rate 10kbps', '"10kbps" is bytes a second to tc'],
  ['Slow 3G', '"slow 3g" is a word of browsers'],
  ['{up:[{rate:1000,delay:50,loss:5,queue:10}]}', 'A network is not written as JSON.'],
  ['loss state 1%', 'The loss must be from 0% to 100%, not state.'],
  ['poor-3h', 'There is no network "poor-3h"'],
  ['teapot', 'There is no network "teapot"'],
  ['5% reorder', 'Reordering needs a delay'],
  ['40ms normal', 'A distribution or correlation needs a jitter'],
  ['1mbit queue 0', 'The queue must be a time with its unit'],
  ['2% loss in bursts of 0.5', 'Bursts have a mean length'],
  ['60% loss in bursts of 1', 'cannot come in bursts as short as 1'],
  ['40ms,,2% loss', 'A part of the network is empty'],
  ['', 'A part of the network is empty'],
  ['2% loss for 20s', 'Only a change at a time'],
  ['at soon: 2% loss', 'duration'],
  ['90% clean, 20% wifi', 'The shares add up to 110 %'],
  ['50% clean', 'The shares add up to 50 %'],
  ['40ms, 10% wifi', 'has no share of the participants'],
  ['50% wifi, 50% wifi', '"wifi" stands twice'],
  ['0% clean, 100% wifi', 'A share is above 0%'],
  ['at 10s: 5ms jitter', 'Jitter of 5 ms needs a delay'],
  ['at 10s: 40ms for 10s, at 15s: 5% reorder for 10s', 'Reordering needs a delay'],
  ['5% loss, at 10s: clean', 'takes nothing away'],
  ['40ms 5ms, at 10s: 40ms 5ms normal for 5s', 'from "normal" to uniform jitter'],
];

for (const [text, says] of wrong) {
  test(`"${text}" is refused with exit 2: ${says}`, () => {
    const error = errorOf(() => readNetworks(text, where));
    expect(error.exitCode).toBe(2);
    expect(error.message).toContain(says);
    expect(error.where).toContain('--network');
    expect(error.todo).toMatch(/\S/);
  });
}

function errorOf(act: () => unknown): LoadlineError {
  try {
    act();
  } catch (error) {
    if (error instanceof LoadlineError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
