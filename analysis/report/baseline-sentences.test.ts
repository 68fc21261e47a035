import { expect, test } from '@playwright/test';
import type { TrialRecord } from '../../model/trial.js';
import { aRecord, aRun } from '../../tests/builders/run-builder.js';
import { calls } from '../../tests/builders/trial-builder.js';
import { foremostTrust } from './trust-section.js';

const aPass = (index: number, size: number): TrialRecord => aRecord(calls(size), { index, size });
const disturbedBy = [
  { code: 'environment', text: 'The probe host was out of CPU in 7 of 60 s while measuring.' },
] as const;
const disturbed = (record: TrialRecord): TrialRecord => ({ ...record, verdict: { ...record.verdict, disturbedBy } });

test('a larger size that was judged by a disturbed baseline is warned of, with where its limit errs to', () => {
  const told = (...records: readonly TrialRecord[]) =>
    foremostTrust(aRun(records, { outcome: 'found', stable: 2, unstable: 3 }), 3).filter((one) =>
      one.startsWith('Warning: '),
    );
  const [first, larger] = [disturbed(aPass(1, 1)), aPass(2, 2)];
  expect(told(first, larger)).toEqual([
    'Warning: the baseline, trial 1, was disturbed. Limits counted from it may be too lax, so less may hold than is told here.',
  ]);
  expect(told(first, larger, aPass(3, 1))).toHaveLength(1);
  expect(told(first, aPass(2, 1), aPass(3, 2))).toEqual([]);
  expect(told(first)).toEqual([]);
  expect(told(aPass(1, 1), disturbed(larger))).toEqual([]);
});
