import { expect, test } from '@playwright/test';
import { aManifest, aRecord, aRun } from '../../tests/builders/run-builder.js';
import { calls } from '../../tests/builders/trial-builder.js';
import { headline } from '../report/headline.js';
import { answerOfTrials } from './answer-of-trials.js';

test('a try of one session whose pass was disturbed gives that pass, and a headline that claims no limit', () => {
  const base = aManifest();
  const plan = { ...base.plan, search: { ...base.plan.search, max: 1 } };
  const manifest = { ...base, plan, command: ['loadline', 'try', 'one-to-one', '--size', '1'] };
  const record = aRecord(calls(1), { index: 1, size: 1, why: 'baseline' });
  const disturbed = { ...record, verdict: { ...record.verdict, probesExhausted: true, disturbedBy: [] } };
  const answer = answerOfTrials(manifest, [disturbed]);
  expect(answer).toMatchObject({ stable: 1, unstable: null });
  const run = { ...aRun([disturbed], { outcome: 'reached-max', stable: 1, ...answer }), manifest };
  expect(headline(run)).toContain('1 call (2 probes): stable, in one trial');
});
