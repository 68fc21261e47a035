import { expect, test } from '@playwright/test';
import { carriedTogether, sharesOfOne } from '../../model/calibration.js';
import { planSchema } from '../../model/plan.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { hostsNeed, playedShares } from './hosts-need.js';

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

test('the shares of the kinds are those of the largest size, browsers among native probes included', () => {
  const of = (changes: object) =>
    playedShares(
      planSchema.parse({ scenario: 'one-to-one', server: { kind: 'embedded' }, search: { max: 50 }, ...changes }),
      oneToOne,
    );
  expect(of({})).toEqual(sharesOfOne('full'));
  expect(of({ players: { kind: 'encoded', fullShare: 0 } })).toEqual(sharesOfOne('encoded'));
  expect(of({ players: { kind: 'encoded', fullShare: 0.1 } })).toEqual({ full: 0.1, encoded: 0.9, native: 0 });
  expect(of({ players: { kind: 'native', sentinels: '10%' } })).toEqual({ full: 0.1, encoded: 0, native: 0.9 });
});

test('a host carries of one kind what it was seen to carry, and of a mixture what is left for each beside the others', () => {
  const carries = { full: 49, encoded: 130, native: 300 };
  for (const kind of ['full', 'encoded', 'native'] as const) {
    expect(carriedTogether(carries, sharesOfOne(kind))).toBe(carries[kind]);
  }
  expect(carriedTogether({ full: 10, encoded: 40, native: 100 }, { full: 0.1, encoded: 0, native: 0.9 })).toBe(52);
  expect(carriedTogether({ ...carries, full: 0 }, { full: 0.1, encoded: 0, native: 0.9 }), 'no browser at all').toBe(0);
});
