import { expect, test } from '@playwright/test';
import type { Plan } from '../model/plan.js';
import type { RunResult } from '../model/run.js';
import { broadcast } from '../scenarios/broadcast.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import type { SimulationOptions } from '../simulation/simulated-parts.js';
import { findLimit } from '../trial/find-limit.js';
import { long } from './effort.js';
import { aPlan, aSimulatedRun } from './simulated-run.js';

const never = new AbortController().signal;

function find(options: Partial<SimulationOptions>, search: Partial<Plan['search']> = {}): Promise<RunResult> {
  const { scenario = oneToOne } = options;
  const { parts } = aSimulatedRun(options);
  // Shorter ones are refused, and of few seconds one freeze more or less says nothing.
  const plan = aPlan({ max: 64, ...search }, { measureMs: 12_000, settleMs: 12_000, pacePerSecond: 20 });
  return findLimit({ plan: { ...plan, scenario: scenario.name }, scenario }, parts, never);
}

test('a server that holds 18 calls is found to hold 18', long, async () => {
  const result = await find({ capacity: 18 });
  expect(result).toMatchObject({ outcome: 'found', limit: { stable: 18, unstable: 19, flaky: [] }, probesAtLimit: 36 });
});

test('a run on the same seed is the same, to the byte', async () => {
  const options = { capacity: 4, flakyWidth: 2, voidRate: 0.2, seed: 5 };
  expect(JSON.stringify(await find(options))).toBe(JSON.stringify(await find(options)));
});

for (const symptom of ['slow', 'loss', 'freeze', 'mixed'] as const) {
  test(`a limit that shows as ${symptom} is found where it is`, symptom === 'mixed' ? {} : long, async () => {
    expect((await find({ capacity: 5, symptom })).limit).toMatchObject({ stable: 5, unstable: 6 });
  });
}

test('above its limit only some calls suffer, and they are named', async () => {
  const { trials } = await find({ capacity: 5 });
  const six = trials.find(({ size, verdict }) => size === 6 && verdict === 'unstable');
  const named = new Set(six?.reasons.map(({ probe }) => probe));
  expect(named.size).toBeGreaterThan(0);
  expect(named.size).toBeLessThan(12);
});

test('a limit that shows as refused joins is found where it is', async () => {
  expect((await find({ capacity: 50, refusesAbove: 5 })).limit).toMatchObject({ stable: 5, unstable: 6 });
});

test('probes that run out before the server are the end of what can be said', long, async () => {
  const result = await find({ capacity: 50, probeLimit: 7 });
  expect(result).toMatchObject({ outcome: 'probe-limited', limit: { stable: 7, unstable: null } });
});

test('crashes of browsers cost trials, and do not move the answer', async () => {
  const result = await find({ capacity: 5, voidRate: 0.3, seed: 2 }, { voidRepeats: 5 });
  expect(result.trials.some(({ verdict }) => verdict === 'void')).toBe(true);
  expect(result.limit).toMatchObject({ stable: 5, unstable: 6 });
});

test('a server that tires of overload until it is reset is found where it is', async () => {
  expect((await find({ capacity: 6, fatiguePercentPerOverload: 20 })).limit).toMatchObject({ stable: 6, unstable: 7 });
});

test('a server that stays tired after a reset is not found to hold what it held when fresh', long, async () => {
  const result = await find({ capacity: 12, fatiguePercentPerOverload: 10, resetCures: false });
  expect(result.limit.stable).toBeLessThan(12);
});

test('a server that holds no call at all has an unstable baseline', async () => {
  expect(await find({ capacity: 0 })).toMatchObject({
    outcome: 'baseline-unstable',
    limit: { stable: 0, unstable: 1 },
  });
});

test('a broadcast is sized in viewers', async () => {
  const result = await find({ scenario: broadcast, capacity: 7 });
  expect(result).toMatchObject({
    outcome: 'found',
    limit: { stable: 7, unstable: 8 },
    unit: 'viewers',
    probesAtLimit: 8,
  });
});
