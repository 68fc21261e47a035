import { expect, test } from '@playwright/test';
import { clusterSentences } from '../analysis/report/cluster-sentences.js';
import { spreadAmong } from '../analysis/statistics/spread.js';
import { simulatedCluster } from '../cli/wiring/simulated-wiring.js';
import { clusterName, type PlacementName } from '../model/placement.js';
import type { SimulatedServerPlan } from '../model/plan.js';
import type { RunEvent } from '../model/run-event.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import { placementOf } from '../server-setup/cluster/placement.js';
import { findLimit, tryOnce } from '../trial/find-limit.js';
import { long } from './effort.js';
import { randomFrom } from './random.js';
import { aPlan, aSimulatedRun } from './simulated-run.js';

/** A search on simulated servers with these capacities, as `loadline simulate --cluster` has it. */
async function searched(capacities: readonly number[], placement: PlacementName) {
  const { parts, events } = aSimulatedRun({
    cluster: simulatedCluster({ capacities, placement }),
  });
  const cluster = { capacities: [...capacities], placement };
  const server: SimulatedServerPlan = { kind: 'simulated', capacity: 1, cluster, seed: 7 };
  const plan = { ...aPlan({ confirm: 1, refute: 1 }, { pacePerSecond: 2, measureMs: 10_000 }), server };
  const result = await findLimit({ plan, scenario: oneToOne }, parts, new AbortController().signal);
  return { result, events };
}

function toldOf(events: readonly RunEvent[]): string {
  const started = events.find((event) => event.type === 'run-started');
  const ended = events.find((event) => event.type === 'run-ended');
  const records = events.flatMap((event) => (event.type === 'trial-ended' ? [event.record] : []));
  if (!started || !ended) return '';
  const run = { manifest: started.manifest, records, answer: ended.answer, runDirectory: '' };
  return clusterSentences(run).join(' ');
}

test(
  'of servers for 2, 3 and 5 calls the sum is 10: dealt in turn the weakest decides, by weight and by load all of it holds',
  long,
  async () => {
    const inTurn = await searched([2, 3, 5], 'round-robin');
    expect(inTurn.result.limit).toMatchObject({ stable: 6, unstable: 7 });
    const told = toldOf(inTurn.events);
    expect(told).toContain('3 servers, sessions placed round-robin: 6 calls held; alone they hold 10 calls together');
    expect(told).toContain('Sessions of the cluster at 6 calls: A 2, B 2, C 2.');
    expect(told).toContain('How full they were at 6 calls: A 100 %, B 66.7 %, C 40 %; p95 − p5');
    expect(told).toContain('At 7 calls what failed was on A (');
    expect(told).not.toMatch(/what failed was on .*[BC] \(/);
    expect(told).toContain('A failed first');
    const byWeight = await searched([2, 3, 5], 'weight');
    expect(byWeight.result.limit).toMatchObject({ stable: 10, unstable: 11 });
    expect(toldOf(byWeight.events)).toContain('at 10 calls: A 2, B 3, C 5.');
    expect((await searched([2, 3, 5], 'least-loaded')).result.limit).toMatchObject({ stable: 10, unstable: 11 });
  },
);

test('where several servers fail at the same size, and none says that it was full, none is said to be first', async () => {
  const { parts, events } = aSimulatedRun({
    cluster: simulatedCluster({ capacities: [1, 1], placement: 'round-robin' }),
  });
  const cluster = { capacities: [1, 1], placement: 'round-robin' as const };
  const server: SimulatedServerPlan = { kind: 'simulated', capacity: 1, cluster, seed: 7 };
  const plan = { ...aPlan({ max: 4 }, { measureMs: 10_000, settleMs: 2000 }), server };
  await tryOnce({ plan, scenario: oneToOne }, 4, parts, new AbortController().signal);
  const told = toldOf(events);
  expect(told).toContain('what failed was on A (2 of its 2 sessions), B (2 of its 2 sessions)');
  expect(told).toContain('on which it began cannot be said');
});

test('the search finds what counting says that a hash of the sessions holds', async () => {
  const exact = heldBy([4, 6, 9, 5], 'hash');
  expect((await searched([4, 6, 9, 5], 'hash')).result.limit.stable).toBe(exact);
});

/** The largest size up to which no server has more than it carries, by counting. */
function heldBy(capacities: readonly number[], name: PlacementName): number {
  return loadedTo(capacities, name, Number.POSITIVE_INFINITY).length;
}

/** The server of each session until one is full, or there are so many. Each server tells at once how busy it is. */
function loadedTo(capacities: readonly number[], name: PlacementName, most: number): number[] {
  const place = placementOf(name);
  const counts = capacities.map(() => 0);
  const placed: number[] = [];
  while (placed.length < most) {
    const candidates = capacities.map((weight, nth) => ({
      name: clusterName(nth),
      weight,
      sessions: counts[nth] ?? 0,
      busy: (counts[nth] ?? 0) / weight,
    }));
    const chosen = place(String(placed.length + 1), candidates);
    if ((counts[chosen] ?? 0) + 1 > (capacities[chosen] ?? 0)) return placed;
    counts[chosen] = (counts[chosen] ?? 0) + 1;
    placed.push(chosen);
  }
  return placed;
}

test('of 200 servers with 15 to 35 calls each, by weight and by load all is held, in turn the weakest decides, and a hash holds less', () => {
  const random = randomFrom(200);
  const capacities = Array.from({ length: 200 }, () => 15 + Math.floor(21 * random()));
  const sum = capacities.reduce((total, capacity) => total + capacity, 0);
  const weakest = Math.min(...capacities);
  // Dealt in turn: until the first server of the weakest has one too many.
  const inTurn = 200 * weakest + capacities.indexOf(weakest);
  const held = (name: PlacementName) => heldBy(capacities, name);
  expect([held('weight'), held('least-loaded'), held('round-robin')]).toEqual([sum, sum, inTurn]);
  expect(held('hash')).toBeLessThan(inTurn);
  const evenAt = (name: PlacementName) => {
    const counts = capacities.map(() => 0);
    for (const server of loadedTo(capacities, name, held(name))) counts[server] = (counts[server] ?? 0) + 1;
    return spreadAmong(counts.map((count, nth) => count / (capacities[nth] ?? 1)))?.jain ?? 0;
  };
  expect(evenAt('weight')).toBeCloseTo(1, 9);
  expect(evenAt('hash')).toBeLessThan(evenAt('round-robin'));
});

test('spread is told by the range of nine in ten, the variation, and an index of one where all are alike', () => {
  expect(spreadAmong([3, 3, 3])).toEqual({ p95LessP5: 0, variation: 0, jain: 1 });
  // One of four has all: one in four.
  expect(spreadAmong([8, 0, 0, 0])).toMatchObject({ p95LessP5: 8, jain: 0.25 });
  expect(spreadAmong([0, 0])).toEqual({ p95LessP5: 0 });
  expect(spreadAmong([])).toBeUndefined();
});
