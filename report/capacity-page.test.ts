import { expect, test } from '@playwright/test';
import type { CapacityAsk } from '../analysis/capacity/ask.js';
import { capacityOf } from '../analysis/capacity/capacity.js';
import type { HostLimit } from '../analysis/capacity/host-limit.js';
import { capacityPage } from './capacity-page.js';

const limit: HostLimit = {
  runs: ['<b>a run</b>'],
  scenario: 'one-to-one',
  unit: { one: 'call', many: 'calls' },
  hostType: 'large',
  atLeast: 50,
  atMost: 54,
  passes: 3,
  participantsPerUnit: 2,
  participantsBeside: 0,
  sharedHost: false,
  nature: 'product',
};

const asked: CapacityAsk = {
  demands: [{ scenario: 'one-to-one', units: 2000, asked: '2000 calls' }],
  headroom: 0,
  spare: { kind: 'none' },
  together: false,
  broadcasts: 1,
  regions: [],
  prices: { currency: 'EUR', hosts: { large: { perHour: 1 } } },
};

test('the page says the answer, the picture in words, every assumption, and escapes what runs are called', () => {
  const capacity = capacityOf([limit], asked);
  const page = capacityPage(capacity, { style: '', version: '0' });
  expect(page).toContain('<h1>2000 calls: 38 to 40 hosts, for 29,200.00 EUR a month.</h1>');
  expect(page).toContain('aria-label="Hosts over demand: 40 hosts for what was asked"');
  expect(page).not.toContain('<b>a run');
  expect(page).not.toMatch(/<script|src=|https?:/);
  for (const sentence of capacity.assumptions) expect(page).toContain(sentence.slice(0, 20));
});

test('a page of simulated hosts says so before its answer', () => {
  const pageOf = (nature: HostLimit['nature']) =>
    capacityPage(capacityOf([{ ...limit, nature }], asked), { style: '', version: '0' });
  expect(pageOf('simulated')).toMatch(/Simulated: the server exists in numbers only[\s\S]*<h1>/);
  expect(pageOf('product')).not.toContain('Simulated:');
});

test('a step of the day is as wide as it is long', () => {
  const curve = [
    { time: '00:00', hours: 8, share: 0.1 },
    { time: '08:00', hours: 1, share: 1 },
    { time: '09:00', hours: 15, share: 0.1 },
  ];
  const page = capacityPage(capacityOf([limit], { ...asked, curve }), { style: '', version: '0' });
  const [, path = ''] = /Hosts over a day[\s\S]*?<path class="curve" d="([^"]+)"/.exec(page) ?? [];
  const xs = [...path.matchAll(/[ML]([\d.]+)/g)].map(([, x]) => Number(x));
  const [from = 0, to = 0] = [xs[0], xs.at(-1)];
  const hours = xs.map((x) => Math.round((24 * (x - from)) / (to - from)));
  expect([...new Set(hours)]).toEqual([0, 8, 9, 24]);
});

test('the axis of a cost below one a month has no noise of the reckoning, and no commas among decimals', () => {
  const cheap = { ...asked, prices: { currency: 'EUR', hosts: { large: { perHour: 0.00001 } } } };
  const page = capacityPage(capacityOf([limit], cheap), { style: '', version: '0' });
  expect(page).toContain('>0.6</span>');
  expect(page).not.toMatch(/\.\d*,\d/);
  expect(page).not.toMatch(/>0\.\d{8,}</);
});
