import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { runCommandLine } from '../cli/command-line.js';
import { resultSchema } from '../model/result-schema.js';
import type { Outcome, RunResult } from '../model/run.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import type { SimulationOptions } from '../simulation/simulated-parts.js';
import { findLimit, tryOnce } from '../trial/find-limit.js';
import { fakeProcess } from './cli/fake-process.js';
import { aPlan, aSimulatedRun } from './simulated-run.js';

const timing = { measureMs: 6000, settleMs: 3000, pacePerSecond: 50 };
const never = new AbortController().signal;

function searched(options: Partial<SimulationOptions>, search: Parameters<typeof aPlan>[0] = {}): Promise<RunResult> {
  return findLimit(
    { plan: aPlan({ max: 8, ...search }, timing), scenario: oneToOne },
    aSimulatedRun(options).parts,
    never,
  );
}

/** Every way in which a run may end. */
const endings: Readonly<Record<string, () => Promise<RunResult>>> = {
  found: () => searched({ capacity: 3 }),
  flaky: () => searched({ capacity: 4, flakyWidth: 2 }),
  'probe-limited': () => searched({ capacity: 8, probeLimit: 5 }),
  'reached-max': () => searched({ capacity: 20 }),
  'baseline-unstable': () => searched({ capacity: 0 }),
  'never-connected': async () => ({ ...(await searched({ capacity: 0 })), outcome: 'never-connected' }),
  'server-lost': () => searched({ capacity: 20, diesAbove: 3 }),
  drifting: () => searched({ capacity: 30, driftPercentPerTrial: 5 }, { max: 64 }),
  void: () => searched({ capacity: 3, voidRate: 1 }),
  'out of time': () => searched({ capacity: 3 }, { budgetMs: 60_000 }),
  fixed: () => searched({ capacity: 3 }, { strategy: 'fixed', sizes: [1, 2, 6] }),
  ramp: () => searched({ capacity: 3 }, { strategy: 'ramp' }),
  tried: () => tryOnce({ plan: aPlan({}, timing), scenario: oneToOne }, 2, aSimulatedRun({ capacity: 3 }).parts, never),
  interrupted: () =>
    findLimit({ plan: aPlan({}, timing), scenario: oneToOne }, aSimulatedRun().parts, AbortSignal.abort()),
};

test('the result of every outcome is as the schema says, with no field that it does not name', async () => {
  const seen = new Set<Outcome>();
  for (const [name, ending] of Object.entries(endings)) {
    const result = JSON.parse(JSON.stringify(await ending())) as RunResult;
    seen.add(result.outcome);
    expect(resultSchema.strict().safeParse(result).error?.issues ?? [], name).toEqual([]);
    if (result.outcome === 'void') expect(result.limit.stable, name).not.toBe(0);
  }
  expect([...seen].sort()).toEqual([...resultSchema.shape.outcome.options].sort());
});

test('a run of which nothing is known has null where others have numbers', async () => {
  const result = await endings.interrupted?.();
  expect(result).toMatchObject({ outcome: 'void', limit: { stable: null, unstable: null }, probesAtLimit: null });
});

test('the schema of results in docs is the one that the code makes', async () => {
  const tool = fakeProcess({ args: ['report', '--schema'] });
  expect(await runCommandLine(tool)).toBe(0);
  const committed = readFileSync(new URL('../docs/result.schema.json', import.meta.url), 'utf8');
  expect(committed, 'run ./loadline report --schema > docs/result.schema.json').toBe(tool.written.stdout());
});
