import { expect, test } from '@playwright/test';
import type { Plan } from '../model/plan.js';
import type { TrialRecord } from '../model/trial.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import { long } from '../tests/effort.js';
import { aPlan, aSimulatedRun } from '../tests/simulated-run.js';
import { findLimit } from './find-limit.js';

async function trialsOf(search: Partial<Plan['search']> = {}): Promise<TrialRecord[]> {
  const records: TrialRecord[] = [];
  const { parts } = aSimulatedRun(
    { capacity: 60 },
    { listener: (event) => void (event.type === 'trial-ended' && records.push(event.record)) },
  );
  await findLimit(
    { plan: aPlan({ foresight: false, max: 8, ...search }), scenario: oneToOne },
    parts,
    new AbortController().signal,
  );
  return records;
}

const windowMs = ({ window }: TrialRecord) => (window ? window.endMs - window.startMs : 0);

test('a trial that only steers ends once all is clearly stable, and its record says so and what came nearest', async () => {
  const trials = await trialsOf();
  const screened = trials.filter((trial) => trial.screened);
  expect(screened.map(({ size, why }) => [size, why])).toEqual([[8, 'grow']]);
  for (const trial of screened) {
    expect(trial.verdict).toMatchObject({ kind: 'stable', reasons: [] });
    expect(windowMs(trial)).toBe(trial.screened?.afterMs);
    expect(trial.screened).toMatchObject({
      afterMs: 15_000,
      because: expect.stringContaining('all was clear: nearest was'),
    });
  }
});

test('the baseline, and every trial that confirms or refutes, is measured to its end or to its failure', async () => {
  const trials = await trialsOf();
  const confirming = trials.filter(({ why }) => why !== 'grow' && why !== 'bisect');
  expect(confirming.length).toBeGreaterThan(2);
  expect(confirming.filter((trial) => trial.screened)).toEqual([]);
  for (const trial of confirming.filter(({ verdict }) => verdict.kind === 'stable'))
    expect(windowMs(trial)).toBe(60_000);
});

test('without screening every stable trial is measured to its end, and the answer is the same', long, async () => {
  const [screened, whole] = [await trialsOf(), await trialsOf({ screening: false })];
  expect(whole.filter((trial) => trial.screened)).toEqual([]);
  expect(whole.at(-1)?.size).toBe(screened.at(-1)?.size);
});

test('what a trial took of the server is in its record, by which the next size is foreseen', async () => {
  const [first] = await trialsOf();
  expect(first?.used?.map(({ what }) => what)).toEqual(expect.arrayContaining(['server-cpu', 'host-cpu', 'delivered']));
});
