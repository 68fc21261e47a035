import { expect, test } from '@playwright/test';
import { hostsNeed } from '../../analysis/needs/hosts-need.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { hostsNeedTexts } from './hosts-lines.js';

const a = { id: 'a', carries: 20 };
const b = { id: 'b', carries: 8 };
const textsFor = (size: number, hosts: Parameters<typeof hostsNeed>[2]) =>
  hostsNeedTexts(hostsNeed(size, oneToOne, hosts), oneToOne.unit);

test('a plan says how many of the hosts it needs, or how many more', () => {
  expect(textsFor(10, [a, b])).toEqual([
    '2 hosts can serve; together they were calibrated to carry 28 probes',
    'for 10 calls, 20 probes, 1 of them would do',
  ]);
  expect(textsFor(40, [a, b])).toEqual([
    '2 hosts can serve; together they were calibrated to carry 28 probes',
    'for 40 calls, 80 probes, 3 more like the largest are needed',
    'they carry 14 calls',
  ]);
});

test('hosts that were not calibrated are named, and what only they could carry is not guessed', () => {
  expect(textsFor(10, [{ id: 'c' }])).toEqual([
    '1 host can serve; whether they do for 10 calls, 20 probes is not known',
    'not calibrated: c',
    '  loadline calibrate --hosts measures what each carries',
  ]);
  expect(textsFor(10, [a, { id: 'c' }]).slice(2)).toEqual([
    'not calibrated: c',
    '  loadline calibrate --hosts measures what each carries',
  ]);
});
