import { expect, test } from '@playwright/test';
import type { TrialRecord } from '../../model/trial.js';
import { aRun } from '../../tests/builders/run-builder.js';
import { aRecord } from '../../tests/stored-run.js';
import { median } from '../statistics/statistics.js';
import { heldTo, readExpectation } from './expectations.js';
import { marksOf } from './release-marks.js';

const disturbedBy = [{ code: 'environment' as const, text: 'A probe host was full.' }];
const disturbed: TrialRecord['verdict'] = { kind: 'stable', reasons: [], thresholds: [], disturbedBy };

test('an expectation is not met by a pass that confirms nothing', () => {
  const run = (more: Partial<TrialRecord>) =>
    aRun([aRecord(1), aRecord(2, { size: 50, ...more })], { outcome: 'reached-max', stable: 50 });
  const expectation = readExpectation(`${run({}).manifest.plan.scenario} >= 40 calls`);
  if (!expectation) throw new Error('no expectation');
  expect(heldTo(expectation, [run({})]).kind).toBe('met');
  expect(heldTo(expectation, [run({ verdict: disturbed })])).toMatchObject({
    kind: 'unknown',
    sentences: [expect.stringContaining('held 50 calls in trials that confirm nothing')],
  });
});

test('what a session costs a release is of passes that confirm', () => {
  const cores = (serverCoresMean: number) => ({ load: { samplesExpected: 1, samplesGot: 1, serverCoresMean } });
  const records = [
    aRecord(1, cores(1)),
    aRecord(2, { size: 11, ...cores(3) }),
    aRecord(3, { size: 11, verdict: disturbed, ...cores(21) }),
  ];
  expect(marksOf(aRun(records, { outcome: 'found', stable: 11, unstable: 12 })).cores).toBeCloseTo(0.2, 9);
});

test('what a session costs may be below 0 by noise, and no round is left out for it', () => {
  const rssMb = (serverRssMbMax: number) => ({ load: { samplesExpected: 1, samplesGot: 1, serverRssMbMax } });
  const costs = [-1.03, -0.41, 0.21, -0.31, 0.52].map((each) => {
    const records = [aRecord(1, rssMb(100)), aRecord(2, { size: 11, ...rssMb(100 + 10 * each) })];
    return marksOf(aRun(records, { outcome: 'found', stable: 11, unstable: 12 })).memory ?? [];
  });
  expect(costs).toHaveLength(5);
  expect(median(costs.flat())).toBeCloseTo(-0.31, 9);
});
