import { expect, test } from '@playwright/test';
import { broadcast } from '../scenarios/broadcast.js';
import { sfuGroup } from '../scenarios/group.js';
import { onConnections } from '../scenarios/on-connections.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import { type Participant, participantsOf } from './scenario.js';
import { type Sentinels, sentinelsOf, withoutBrowser } from './sentinels.js';

const viewers = (size: number) => participantsOf(broadcast.sessions(size));

const callers = (calls: number) => participantsOf(oneToOne.sessions(calls));

const native = (participants: readonly Participant[], sentinels: Sentinels, seed = 1) =>
  withoutBrowser(participants, { sentinels, seed });

/** Browsers of each role on each network and host. */
function browsersOf(all: readonly Participant[], without: ReadonlySet<string>, hostOf?: ReadonlyMap<string, string>) {
  const counts = new Map<string, number>();
  for (const { id, role, network = '', legs } of all) {
    if (!legs.some(({ receives }) => receives.length > 0)) continue;
    const key = [role, network, hostOf?.get(id) ?? ''].join(' ');
    counts.set(key, (counts.get(key) ?? 0) + (without.has(id) ? 0 : 1));
  }
  return Object.fromEntries([...counts].map(([key, count]) => [key.trim(), count]));
}

test('of a broadcast the presenter and all viewers but the sentinels are native, of calls all participants but those', () => {
  expect([...native(viewers(3), '5%')]).toEqual(['1p']);
  expect(native(viewers(10), '5%').size).toBe(7);
  expect(native(viewers(400), '5%').size).toBe(381);
  expect(native(callers(2), '5%').size).toBe(0);
  expect(native(callers(20), '5%').size).toBe(34);
  expect(native(participantsOf(sfuGroup(4).sessions(5)), 5).size).toBe(15);
});

test('who receives several on one connection is played as who receives them on one each', () => {
  for (const subscribing of ['one', 'each'] as const)
    expect(native(participantsOf(onConnections(sfuGroup(4), subscribing).sessions(5)), 5).size).toBe(15);
});

test('of each stratum three at least are browsers, and its part of what was asked for rounded up, and never more than there are', () => {
  expect(sentinelsOf([], '5%')).toEqual([]);
  expect(sentinelsOf([3], '5%')).toEqual([3]);
  expect(sentinelsOf([100], '1%')).toEqual([4]);
  expect(sentinelsOf([81], '5%')).toEqual([5]);
  expect(sentinelsOf([100], '10%')).toEqual([10]);
  expect(sentinelsOf([100], 1)).toEqual([4]);
  expect(sentinelsOf([20], 30)).toEqual([20]);
  expect(sentinelsOf([50, 50], 8)).toEqual([4, 4]);
  expect(sentinelsOf([180, 20], '10%')).toEqual([18, 3]);
  expect(sentinelsOf([2, 98], 4)).toEqual([2, 4]);
});

test('callers and callees have as many browsers, for each number of calls: taken one in twenty, all were callers', () => {
  for (const calls of [4, 50, 100, 200, 500]) {
    const each = Math.max(3, Math.ceil(calls * 0.05));
    expect(browsersOf(callers(calls), native(callers(calls), '5%')), `${calls} calls`).toEqual({
      caller: each,
      callee: each,
    });
  }
});

test('each role has three browsers on each network and host, or all where fewer are there, whatever is regular in the list', () => {
  for (let seed = 0; seed < 200; seed += 1) {
    const every = 2 + (seed % 9);
    const all = callers(60).map((one, nth) => ({ ...one, network: nth % every === 0 ? 'poor' : 'good' }));
    const hostOf = new Map(all.map(({ id }, nth) => [id, nth % 3 === 0 ? 'a' : 'b']));
    const browsers = browsersOf(all, withoutBrowser(all, { sentinels: '5%', seed, hostOf }), hostOf);
    const there = browsersOf(all, new Set(), hostOf);
    for (const [stratum, count] of Object.entries(browsers))
      expect(count, `${stratum}, seed ${seed}`).toBeGreaterThanOrEqual(Math.min(3, there[stratum] ?? 0));
  }
});

test('sentinels are drawn by chance: the same by the same seed, and over many each is as likely as any other', () => {
  expect([...native(viewers(100), 10, 7)]).toEqual([...native(viewers(100), 10, 7)]);
  expect([...native(viewers(100), 10, 7)]).not.toEqual([...native(viewers(100), 10, 8)]);
  const times = new Map<string, number>();
  const draws = 2000;
  for (let seed = 0; seed < draws; seed += 1) {
    const without = native(viewers(40), 4, seed);
    for (const { id } of viewers(40).slice(1)) if (!without.has(id)) times.set(id, (times.get(id) ?? 0) + 1);
  }
  // Each is drawn 200 times on average, with a deviation of 13.
  expect(times.size).toBe(40);
  expect(Math.min(...times.values())).toBeGreaterThan(140);
  expect(Math.max(...times.values())).toBeLessThan(260);
});

test('of one role they are as many as they should be for every size', () => {
  const sizes = Array.from({ length: 300 }, (_, index) => index + 1);
  const wrong = sizes.filter((size) => size + 1 - native(viewers(size), '7%').size !== sentinelsOf([size], '7%')[0]);
  expect(wrong).toEqual([]);
});
