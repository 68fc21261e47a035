import { expect, test } from '@playwright/test';
import type { Link } from '../../../model/network.js';
import type { LinkMeasure } from '../../../model/network-record.js';
import { differences } from './check-network.js';
import { checkPlan } from './check-plan.js';
import { measureOf } from './link-end.js';

const clean: LinkMeasure = {
  sent: 10_000,
  received: 10_000,
  delayMs: 0.3,
  jitterMs: 0.2,
  lossPercent: 0,
  duplicatePercent: 0,
  reorderPercent: 0,
};
const usual: Link = { delayMs: 40, jitterMs: 5, loss: { kind: 'random', percent: 3 } };
const asSet: LinkMeasure = { ...clean, delayMs: 40.4, jitterMs: 5.1, lossPercent: 3.1 };

const table: readonly (readonly [string, Link, LinkMeasure, string | undefined])[] = [
  ['nothing set, nothing found', {}, clean, undefined],
  ['what was set was found', usual, asSet, undefined],
  ['a delay that is not there', usual, { ...asSet, delayMs: 0.4 }, 'the delay is 0.4 ms, 40 ms were set'],
  ['a delay 12 % too long', { delayMs: 100 }, { ...clean, delayMs: 113.5 }, 'the delay is'],
  ['a delay nobody set', {}, { ...clean, delayMs: 9 }, 'the delay is 9 ms, 0 ms were set'],
  ['loss that is not there', usual, { ...asSet, lossPercent: 0 }, 'the loss is 0 %, 3 % were set'],
  ['loss that is 0.6 points off', usual, { ...asSet, lossPercent: 3.6 }, undefined],
  ['loss that is 0.8 points off', usual, { ...asSet, lossPercent: 3.8 }, 'the loss is 3.8 %'],
  ['loss of few packets, within chance', usual, { ...asSet, sent: 200, lossPercent: 5 }, undefined],
  ['corruption counts as loss', { corruptPercent: 2 }, { ...clean, lossPercent: 2.1 }, undefined],
  ['jitter that is not there', usual, { ...asSet, jitterMs: 0.4 }, 'the jitter is 0.4 ms'],
  [
    'a rate 12 % too high',
    { rateBps: 400_000 },
    { ...clean, rateBps: 450_000 },
    'the rate is 450 kbit/s, 400 kbit/s were set',
  ],
  ['a rate within 10 %', { rateBps: 400_000 }, { ...clean, rateBps: 390_000 }, undefined],
  ['duplicates nobody set', {}, { ...clean, duplicatePercent: 1 }, '1 % are duplicates'],
  ['nothing at all', usual, { ...clean, received: 0, delayMs: undefined } as never, 'nothing came through'],
];

for (const [what, link, measured, says] of table) {
  test(`${what}: ${says ?? 'the trial may start'}`, () => {
    const found = differences(link, measured);
    if (says === undefined) expect(found).toEqual([]);
    else expect(found.join('; ')).toContain(says);
  });
}

test('a slow link is measured with what it carries, and its rate with more', () => {
  const { up, drainMs } = checkPlan({ rateBps: 400_000, delayMs: 175 }, {});
  expect(up.perSecond * 8 * 70).toBeLessThan(0.35 * 400_000);
  expect(up.rate?.bps).toBeGreaterThan(1.2 * 400_000);
  expect(drainMs).toBeGreaterThan(175);
  expect(up.rate?.connections).toBe(2);
  expect(checkPlan({ rateBps: 40e6 }, {}).up.rate?.connections).toBe(1);
  expect(checkPlan({ rateBps: 1e9 }, {}).up.rate).toBeUndefined();
});

test('delays are medians, and jitter is the width of the middle half', () => {
  const delaysMs = new Map(Array.from({ length: 101 }, (_, number) => [number, 35 + number / 10]));
  const measure = measureOf(
    { delaysMs, duplicates: 2, reordered: 0, rateBytes: 50_000, rateFromMs: 0, rateToMs: 1000 },
    202,
  );
  expect(measure).toMatchObject({ received: 101, delayMs: 40, lossPercent: 50, rateBps: 400_000 });
  expect(measure.jitterMs).toBeCloseTo(5, 0);
  expect(measureOf({ delaysMs: new Map(), duplicates: 0, reordered: 0, rateBytes: 0 }, 10).delayMs).toBeUndefined();
});
