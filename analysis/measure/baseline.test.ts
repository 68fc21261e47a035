import { expect, test } from '@playwright/test';
import type { TrialRecord } from '../../model/trial.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { aRecord } from '../../tests/builders/run-builder.js';
import { calls, withProbes } from '../../tests/builders/trial-builder.js';
import { baselineAfter } from './baseline.js';

const aPass = (fps: number): TrialRecord =>
  aRecord(withProbes(calls(1), aProbe('1a').receivesVideo({ fps })), { index: 1, size: 1 });
const reason = { code: 'environment', text: 'The probe host was out of CPU in 7 of 60 s while measuring.' } as const;
const disturbed = (record: TrialRecord): TrialRecord => ({
  ...record,
  verdict: { ...record.verdict, kind: 'stable', disturbedBy: [reason] },
});

test('a disturbed pass of 24.5 fps gives no baseline, the next one of 30 fps does', () => {
  const first = disturbed(aPass(24.5));
  const none = baselineAfter(null, 1, first);
  expect(none).toBeNull();
  const second = aPass(30);
  expect(second.verdict.kind).toBe('stable');
  expect(baselineAfter(none, 1, second)).not.toBeNull();
  expect(baselineAfter(none, 1, disturbed(second), { next: second })).toBeNull();
});

test('a stored run that went on to larger sizes with a disturbed baseline is read with that one', () => {
  const first = disturbed(aPass(24.5));
  expect(baselineAfter(null, 1, first, { next: { ...first, size: 2 } })).toEqual(baselineAfter(null, 1, aPass(24.5)));
});
