import { expect, test } from '@playwright/test';
import type { TrialRecord } from '../../model/trial.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { aRecord } from '../../tests/builders/run-builder.js';
import { calls, withProbes } from '../../tests/builders/trial-builder.js';
import { baselineAfter, baselineFor } from './baseline.js';

const aPass = (index: number, size: number, fps = 30): TrialRecord =>
  aRecord(withProbes(calls(size), aProbe('1a').receivesVideo({ fps })), { index, size });
const disturbedBy = [
  { code: 'environment', text: 'The probe host was out of CPU in 7 of 60 s while measuring.' },
] as const;
const disturbed = (record: TrialRecord): TrialRecord => ({ ...record, verdict: { ...record.verdict, disturbedBy } });

const after = (...records: readonly TrialRecord[]) =>
  records.reduce<ReturnType<typeof baselineAfter>>((known, record) => baselineAfter(known, 1, record), null);

test('a disturbed pass is the baseline until an undisturbed one of its size takes its place for good', () => {
  const [first, second] = [disturbed(aPass(1, 1, 24.5)), aPass(3, 1)];
  expect(second.verdict.kind).toBe('stable');
  expect(after(first, aPass(2, 2))).toEqual({ ...after(aPass(1, 1, 24.5)), disturbedTrial: 1 });
  expect(after(first, disturbed(aPass(2, 1, 29)))).toEqual(after(first));
  expect(after(first, second)).toEqual(after(second));
  expect(after(first, second)).not.toEqual(after(aPass(1, 1, 24.5)));
  expect(after(first, second, aPass(4, 1, 27))).toEqual(after(second));
});

test('an undisturbed baseline stays, and no trial that is void, that ended early or that was a drill takes its place', () => {
  const first = aPass(1, 1, 27);
  expect(after(first, aPass(2, 1))).toEqual(after(first));
  const pass = aPass(2, 1);
  const others = [
    { ...pass, verdict: { ...pass.verdict, kind: 'void' } },
    { ...pass, screened: { afterMs: 10_000 } },
    { ...pass, drill: {} },
  ] as unknown as readonly TrialRecord[];
  for (const other of others) expect(after(disturbed(first), other)).toEqual(after(disturbed(first)));
});

test('what new verdicts say of a stored trial counts as what its own says', () => {
  const first = aPass(1, 1);
  const [own, again] = [first.verdict, disturbed(first).verdict];
  expect(baselineAfter(null, 1, first, again)?.disturbedTrial).toBe(1);
  expect(baselineAfter(null, 1, disturbed(first), own)?.disturbedTrial).toBe(1);
  const failing = { ...own, kind: 'unstable' } as const;
  expect(baselineAfter(null, 1, first, failing)).toEqual(after(first));
});

test('what may take the place of a disturbed baseline is not judged by it, and all else is', () => {
  const [known, sound] = [after(disturbed(aPass(1, 1, 24.5))), after(aPass(1, 1))];
  expect([baselineFor(known, 1, 1), baselineFor(known, 1, 2)]).toEqual([null, known]);
  expect([baselineFor(null, 1, 1), baselineFor(sound, 1, 1)]).toEqual([null, sound]);
});
