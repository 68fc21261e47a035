import { expect, test } from '@playwright/test';
import { type Plan, planSchema } from '../../model/plan.js';
import type { VisitPlan } from '../../model/visit.js';
import { broadcast } from '../../scenarios/broadcast.js';
import { group, sfuGroup } from '../../scenarios/group.js';
import { onConnections } from '../../scenarios/on-connections.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { visit } from '../../scenarios/visit.js';
import { byArrivals } from '../../tests/arrivals/queued-trial.js';
import { trialBound } from '../search/search.js';
import { hostNeeds } from './host-needs.js';
import { largestFitting, planCost, shortages } from './plan-cost.js';

const aPlan = (search: Partial<Plan['search']> = {}, changes: object = {}): Plan =>
  planSchema.parse({ scenario: 'one-to-one', server: { kind: 'embedded' }, search, ...changes });

test('32 calls are 64 probes on 16 pages in 4 browsers, with a port for each end on one host', () => {
  expect(hostNeeds(aPlan(), oneToOne, 32)).toMatchObject({ probes: 64, pages: 16, browsers: 4, udpPorts: 128 });
});

test('a server elsewhere takes none of the ports of this host', () => {
  const remote = aPlan({}, { server: { kind: 'kurento', url: 'kurento://a:1' } });
  expect(hostNeeds(remote, oneToOne, 32).udpPorts).toBe(64);
});

test('a page of an app has as many ports as connections were seen of its role, and before that one at least', () => {
  const needsOf = (visited: VisitPlan) => {
    const plan = aPlan(
      {},
      { server: { kind: 'web-app', url: 'https://a/' }, players: { kind: 'visiting', ...visited } },
    );
    return hostNeeds(plan, visit(2, visited), 10);
  };
  const one = { role: 'member', sends: ['video' as const], audio: 1, video: 1 };
  expect(needsOf({})).toMatchObject({ udpPorts: 20, connectionsUnknown: true });
  expect(needsOf({ expect: [one] })).toMatchObject({ udpPorts: 20, connectionsUnknown: true });
  const seen = needsOf({ expect: [{ ...one, connections: 3 }] });
  expect(seen.udpPorts).toBe(60);
  expect(seen).not.toHaveProperty('connectionsUnknown');
  expect(seen.openFiles).toBeGreaterThan(needsOf({}).openFiles);
});

test('a broadcast has its presenter on top, a room its members', () => {
  expect(hostNeeds(aPlan(), broadcast, 10).probes).toBe(11);
  expect(hostNeeds(aPlan(), group(4), 10).probes).toBe(40);
});

test('a native member that receives nine over one connection is costed as measured, not as nine connections', () => {
  const players = { kind: 'native', sentinels: 4 };
  const plan = aPlan({}, { server: { kind: 'kurento', url: 'kurento://a:1' }, players });
  const roomsOf = (subscribing: 'one' | 'each') => onConnections(sfuGroup(10), subscribing);
  const coresEach = (subscribing: 'one' | 'each') =>
    (hostNeeds(plan, roomsOf(subscribing), 20).cores - hostNeeds(plan, roomsOf(subscribing), 10).cores) / 100;
  // 0.0137 to 0.018 of a core were measured of one (docs/lab/native-probes.md).
  expect(coresEach('one')).toBeCloseTo(0.02, 9);
  expect(coresEach('each')).toBeCloseTo(0.05, 9);
});

test('full probes with four times the picture are costed at twice the CPU, and the others as before', () => {
  const coresOf = (media: object, players: object) =>
    hostNeeds(aPlan({}, { server: { kind: 'kurento', url: 'kurento://a:1' }, media, players }), oneToOne, 4).cores;
  const large = { width: 1280, height: 720 };
  expect(coresOf(large, { kind: 'full' }) / coresOf({}, { kind: 'full' })).toBeCloseTo(2.05, 9);
  const encoded = { kind: 'encoded', fullShare: 0 };
  expect(coresOf(large, encoded)).toBe(coresOf({}, encoded));
});

test('memory is that of the bench: within a fifth of what was measured', () => {
  for (const [size, measured] of [
    [4, 451],
    [8, 683],
  ] as const) {
    const { memoryMb } = hostNeeds(aPlan(), oneToOne, size);
    expect(Math.abs(memoryMb / measured - 1)).toBeLessThan(0.2);
  }
});

for (const strategy of ['bisect', 'ramp', 'fixed'] as const) {
  test(`trials and minutes of ${strategy} are ranges, and the most is the bound that the search states`, () => {
    const plan = aPlan({ max: 32, strategy, ...(strategy === 'fixed' ? { sizes: [4, 8] } : {}) });
    const { trials, minutes } = planCost(plan, oneToOne);
    expect(trials.min).toBeGreaterThan(0);
    expect(trials.max).toBe(trialBound(plan.search, 1).clean);
    expect(trials.min).toBeLessThanOrEqual(trials.max);
    expect(minutes.min).toBeGreaterThanOrEqual(trials.min);
    expect(minutes.max).toBeGreaterThan(minutes.min);
  });
}

test('a plan by arrivals is costed by counting those who come for two sizes once, however many they are', () => {
  const load = { by: 'arrivals', process: 'constant', holdMs: 7_200_000, stay: 'constant', perMs: 1000, seed: 1 };
  const plan = aPlan({ max: 512 }, { load, players: { kind: 'signalling', sentinels: 0, legs: 'all' } });
  let laidOut = 0;
  const counting = byArrivals(oneToOne, plan.load, 60_000);
  const sessions = (size: number) => {
    laidOut += 1;
    return counting.sessions(size);
  };
  planCost(plan, { ...counting, sessions });
  expect(laidOut).toBeLessThanOrEqual(4);
});

test('the minutes of a plan are enough for all of its trials, by arrivals and by sessions', () => {
  const load = { by: 'arrivals', process: 'constant', holdMs: 20_000, stay: 'constant', perMs: 1000, seed: 1 };
  const coming = byArrivals(oneToOne, { ...load } as Plan['load'], 60_000);
  for (const [scenario, changes] of [[oneToOne, {}] as const, [coming, { load }] as const]) {
    const plan = aPlan({ max: 50 }, changes);
    const { trials, minutes } = planCost(plan, scenario);
    expect(minutes.max).toBeGreaterThanOrEqual((trials.max * plan.timing.measureMs) / 60_000);
  }
});

test('a host is to carry those who are there at a time, and not all who come in a trial', () => {
  const load = { by: 'arrivals', process: 'constant', holdMs: 20_000, stay: 'constant', perMs: 1000, seed: 1 } as const;
  const coming = byArrivals(oneToOne, load, 60_000);
  const { size, ...needs } = hostNeeds(aPlan({}, { load }), coming, 2);
  const { size: there, ...ofThere } = hostNeeds(aPlan(), oneToOne, 40);
  expect([size, there, needs]).toEqual([2, 40, ofThere]);
});

test('a budget is the most that a plan takes', () => {
  expect(planCost(aPlan({ budgetMs: 120_000 }), oneToOne).minutes.max).toBe(2);
  const load = { by: 'arrivals', process: 'constant', holdMs: 20_000, stay: 'constant', perMs: 1000, seed: 1 };
  const trialsIn = (budgetMs?: number) => planCost(aPlan({ budgetMs }, { load }), oneToOne).trials;
  // A trial takes 80 s and what is around it.
  expect(trialsIn(180_000)).toEqual({ min: 2, max: 2 });
  expect(trialsIn(30_000)).toEqual({ min: 1, max: 1 });
  expect(trialsIn(360_000).max).toBe(4);
  expect(trialsIn().min).toBeGreaterThan(4);
});

test('a warm-up is part of the minutes: one of a run, or one of each trial where the server is restarted', () => {
  const minutesOf = (changes: object) => planCost(aPlan({ max: 8 }, changes), oneToOne);
  const kurento = { kind: 'kurento', url: 'kurento://a:1' };
  const without = minutesOf({ timing: { warmUp: false } });
  const once = minutesOf({ server: kurento });
  const each = minutesOf({ server: { ...kurento, restartCommand: 'restart' } });
  const one = once.minutes.max - without.minutes.max;
  expect(one).toBeGreaterThan(0.1);
  expect(each.minutes.min - without.minutes.min).toBeCloseTo(each.trials.min * one);
  expect(minutesOf({ server: { kind: 'simulated', capacity: 4, seed: 1 } }).minutes).toEqual(without.minutes);
});

test('what does not fit is named with both numbers, what is not known is not held against the host', () => {
  const needs = hostNeeds(aPlan(), oneToOne, 100);
  expect(shortages(needs, {})).toEqual([]);
  expect(shortages(needs, { memoryMb: 1000, udpPorts: 399, openFiles: 100 })).toEqual([
    { what: 'memory', needed: needs.memoryMb + needs.conductorMb, available: 744, unit: 'MiB' },
    { what: 'UDP ports', needed: 400, available: 399, unit: 'ports' },
    { what: 'open files', needed: needs.openFiles, available: 100, unit: 'files' },
  ]);
});

test('the tool itself needs memory by the streams of a trial, however long it is, and disk by its length, too', () => {
  const ofSize = (size: number, changes: object = {}) => {
    const plan = aPlan({ strategy: 'fixed', sizes: [size] }, changes);
    return { memory: hostNeeds(plan, oneToOne, size).conductorMb, disk: planCost(plan, oneToOne).diskMb };
  };
  const short = ofSize(500);
  const long = ofSize(500, { timing: { measureMs: 600_000 } });
  // Three trials of 1000 probes with 4 streams each, of which a second takes 50 bytes, are 9 minutes longer.
  expect(long.disk - short.disk).toBeCloseTo((3 * 4000 * 50 * 540) / 1e6, 0);
  expect(long.memory).toBe(short.memory);
  expect(ofSize(5000).memory - short.memory).toBeGreaterThan(5 * (short.memory - ofSize(1).memory));
});

test('a limit that is held for ten minutes is as long in what samples take on disk', () => {
  const diskOf = (search: object) => planCost(aPlan({ max: 8, strategy: 'ramp', ...search }), oneToOne).diskMb;
  // 8 calls of 8 streams, of which a second takes 50 bytes.
  expect(diskOf({ holdMs: 600_000 }) - diskOf({})).toBeGreaterThan((64 * 50 * 600) / 1e6);
});

test('the largest size that fits does fit, and the next does not', () => {
  const plan = aPlan({ max: 512 });
  const room = { memoryMb: 4000 };
  const size = largestFitting(plan, oneToOne, room);
  expect(size).toBeGreaterThan(1);
  expect(shortages(hostNeeds(plan, oneToOne, size), room)).toEqual([]);
  expect(shortages(hostNeeds(plan, oneToOne, size + 1), room)).toHaveLength(1);
  expect(largestFitting(plan, oneToOne, { memoryMb: 300 })).toBe(0);
});
