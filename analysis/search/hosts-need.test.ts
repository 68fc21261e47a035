import { expect, test } from '@playwright/test';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { hostsNeed } from './hosts-need.js';

const three = [
  { id: 'a', carries: 20 },
  { id: 'b', carries: 8 },
  { id: 'c', carries: 30 },
];

test('of hosts that carry more than is asked, the fewest that do are needed', () => {
  expect(hostsNeed(15, oneToOne, three)).toEqual({
    size: 15,
    probes: 30,
    there: 3,
    carried: 58,
    notCalibrated: [],
    needed: 1,
    missing: 0,
    fitting: 15,
  });
  expect(hostsNeed(16, oneToOne, three).needed).toBe(2);
  expect(hostsNeed(29, oneToOne, three).needed).toBe(3);
});

test('where they do not carry it, more like the largest are needed, and the size that they carry is said', () => {
  expect(hostsNeed(60, oneToOne, three)).toMatchObject({
    probes: 120,
    carried: 58,
    needed: 6,
    missing: 3,
    fitting: 29,
  });
});

test('a host that was not calibrated counts nothing, and with none that was nothing is known', () => {
  expect(hostsNeed(16, oneToOne, [...three, { id: 'd' }])).toMatchObject({
    there: 4,
    carried: 58,
    notCalibrated: ['d'],
  });
  const unknown = hostsNeed(16, oneToOne, [{ id: 'd' }]);
  expect(unknown).toEqual({ size: 16, probes: 32, there: 1, carried: 0, notCalibrated: ['d'] });
});
