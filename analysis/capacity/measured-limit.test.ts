import { expect, test } from '@playwright/test';
import type { FinishedRun } from '../../model/finished-run.js';
import type { Load } from '../../model/load.js';
import type { TrialRecord } from '../../model/trial.js';
import { aRun } from '../../tests/builders/run-builder.js';
import { aRecord } from '../../tests/stored-run.js';
import { comparedRun } from '../compare/compare.js';
import { measuredLimit } from './measured-limit.js';

const disturbedBy = [{ code: 'environment' as const, text: 'A probe host was full.' }];
const disturbed: TrialRecord['verdict'] = { kind: 'stable', reasons: [], thresholds: [], disturbedBy };
const unstable: TrialRecord['verdict'] = { kind: 'unstable', reasons: [], thresholds: [] };
const cutShort = { outcome: 'reached-max', stable: 50, cutShort: true } as const;
const screened = { afterMs: 12_000, because: 'Nothing came near its limit.' };

const atFive = (index: number, changes: Partial<TrialRecord> = {}) =>
  aRecord(index, { size: 5, probesAsked: 10, ...changes });

test('a stored answer whose size passed only where it confirms nothing is planned with by what was confirmed', () => {
  for (const last of [{ verdict: disturbed }, { screened }]) {
    const run = aRun([aRecord(1, {}), aRecord(2, { size: 50, probesAsked: 100, ...last })], cutShort);
    expect(comparedRun(run)).toMatchObject({ atLeast: 1, below: null });
    expect(measuredLimit(run)).toMatchObject({ atLeast: 1, passes: 1, participantsPerUnit: 2 });
  }
});

test('a limit rests on the passes that confirm it, and on no others', () => {
  const run = aRun([aRecord(1), atFive(2, { screened }), atFive(3), atFive(4, { verdict: disturbed })], {
    outcome: 'found',
    stable: 5,
    unstable: 6,
  });
  expect(measuredLimit(run)).toMatchObject({ atLeast: 5, passes: 1 });
});

test('where the limit failed, too, its passes are of the size that held each time', () => {
  const passed = [2, 3, 4].map((index) => atFive(index));
  const run = aRun([aRecord(1), ...passed, atFive(5, { verdict: unstable })], {
    outcome: 'found',
    stable: 5,
    unstable: 6,
  });
  expect(measuredLimit(run)).toMatchObject({ atLeast: 1, passes: 1 });
});

test('a run by arrivals is no limit of how many are there at once, and is refused by that name', () => {
  const load: Load = { by: 'arrivals', process: 'constant', holdMs: 30_000, stay: 'constant', perMs: 1000, seed: 1 };
  const records = [aRecord(1, { size: 20, probesAsked: 2400 }), aRecord(2, { size: 20, probesAsked: 2400 })];
  const { manifest, ...run } = aRun(records, { outcome: 'found', stable: 20, unstable: 21 });
  const byArrivals: FinishedRun = { ...run, manifest: { ...manifest, plan: { ...manifest.plan, load } } };
  // The window is 60 s long: 20 × 60 s × 2 come in it, and 20 × 30 s × 2 are there at once.
  expect(measuredLimit(byArrivals)).toMatchObject({ why: expect.stringContaining('a run without --by') });
  expect(measuredLimit(byArrivals)).not.toHaveProperty('participantsPerUnit');
});
