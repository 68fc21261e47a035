import { expect, test } from '@playwright/test';
import type { PhaseMark, TrialRecord } from '../../model/trial.js';
import { aRecord, aRun } from '../../tests/builders/run-builder.js';
import { calls } from '../../tests/builders/trial-builder.js';
import { runResult } from './result.js';
import { phaseTotals, searchCost } from './search-cost.js';

/** Two probes a call. It joins for a second a probe, settles for 20 s. */
function trial(index: number, size: number, measuredMs: number, changes: Partial<TrialRecord> = {}): TrialRecord {
  const lengths = { join: 2000 * size, settle: 20_000, measure: measuredMs } as const;
  const phases = Object.entries(lengths).map(([phase, ms]) => ({ phase, startedAtMs: 0, endedAtMs: ms }) as PhaseMark);
  const verdict = { kind: measuredMs === 60_000 ? 'stable' : 'unstable', reasons: [], thresholds: [] } as const;
  return { ...aRecord(calls(size), { index, size }), phases, verdict, ...changes };
}

const stable = { verdict: { kind: 'stable', reasons: [], thresholds: [] } } as const;

test('an answer costs the minutes of each probe, of which joining counts half', () => {
  const run = aRun([trial(1, 1, 60_000), trial(2, 2, 10_000)], { outcome: 'found', stable: 1, unstable: 2 });
  expect(Object.keys(searchCost(run))).toEqual(['probeMinutes']);
  expect(searchCost(run).probeMinutes).toBeCloseTo((2 * 81 + 4 * 32) / 60);
  expect(runResult(run)).toMatchObject({ ...searchCost(run) });
});

test('beside it stands what doubling and halving alone would have taken, once anything was foreseen or screened', () => {
  const foreseen = trial(2, 3, 60_000, { foresees: 'stable' });
  const run = aRun([trial(1, 1, 60_000), foreseen, trial(3, 4, 12_000)], {
    outcome: 'found',
    stable: 3,
    unstable: 4,
  });
  // 1, 2, 4, 3 and then twice 3 and once 4 and 5: as long as the trials here, those that failed 12 s.
  const expected = [1, 2, 3, 3, 3]
    .map((size) => 2 * size * (size + 80))
    .concat([4, 4, 5].map((size) => 2 * size * (size + 32)));
  const { plainProbeMinutes = 0 } = searchCost(run);
  expect(plainProbeMinutes).toBeCloseTo(expected.reduce((sum, one) => sum + one, 0) / 60);
  const screened = trial(2, 3, 15_000, { ...stable, screened: { afterMs: 15_000, because: 'It was clear.' } });
  expect(searchCost({ ...run, records: [trial(1, 1, 60_000), screened, trial(3, 4, 12_000)] })).toHaveProperty(
    'plainProbeMinutes',
  );
});

test('where no trial says how long it took, nothing is said, and not zero', () => {
  const run = aRun([aRecord(calls(1), { index: 1, size: 1 })], { outcome: 'reached-max', stable: 1 });
  expect(searchCost(run)).toEqual({});
});

test('those who come and go cost no minutes from their joining to the end of the window', () => {
  const arrivals = {} as NonNullable<TrialRecord['arrivals']>;
  const run = aRun([trial(1, 1, 60_000, { arrivals })], { outcome: 'reached-max', stable: 1 });
  expect(searchCost(run)).toEqual({});
});

test('where the time of a run went is told by phase, in the order of a trial', () => {
  expect(phaseTotals([trial(1, 1, 60_000), trial(2, 2, 10_000)])).toEqual([
    { phase: 'join', ms: 6000 },
    { phase: 'settle', ms: 40_000 },
    { phase: 'measure', ms: 70_000 },
  ]);
});
