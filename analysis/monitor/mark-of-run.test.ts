import { expect, test } from '@playwright/test';
import type { RunMark } from '../../model/monitor.js';
import type { TrialRecord } from '../../model/trial.js';
import { aMark, aStory } from '../../tests/builders/monitor-builder.js';
import { aRun } from '../../tests/builders/run-builder.js';
import { aRecord } from '../../tests/stored-run.js';
import { runResult } from '../search/result.js';
import { markOfRun } from './mark-of-run.js';
import { historiesOf } from './stability.js';

const full = { code: 'environment' as const, text: 'A probe host was full.' };
const disturbed: Partial<TrialRecord> = {
  verdict: { kind: 'stable', reasons: [], thresholds: [], disturbedBy: [full] },
};
const discarded: Partial<TrialRecord> = {
  verdict: { kind: 'void', reasons: [full], thresholds: [], discardsFailure: true },
};
const withCores = (serverCoresMean: number) => ({ load: { samplesExpected: 1, samplesGot: 1, serverCoresMean } });

/** A try of 40 behind its baseline, or the search that found it. */
function markOf(trials: readonly Partial<TrialRecord>[], asksForLimit = false): RunMark {
  const records = [{ size: 1 }, ...trials].map((more, nth) => aRecord(nth + 1, { size: 40, ...more }));
  const isVoid = records.at(-1)?.verdict.kind === 'void';
  const run = aRun(
    records,
    isVoid ? { outcome: 'void', stable: 0 } : { outcome: asksForLimit ? 'found' : 'reached-max', stable: 40 },
  );
  return markOf40({ ...run, result: runResult(run) }, asksForLimit);
}

function markOf40(run: Parameters<typeof markOfRun>[0], asksForLimit: boolean): RunMark {
  const { plan } = run.manifest;
  const search = asksForLimit ? plan.search : { ...plan.search, max: 40 };
  return markOfRun({ ...run, manifest: { ...run.manifest, plan: { ...plan, search } } }, asksForLimit, false);
}

test('a try that passed while the probe side was disturbed says as little as one whose failure was discarded', () => {
  expect(markOf([disturbed])).toMatchObject({ verdict: 'void', reasons: [full.text] });
  expect(markOf([discarded])).toMatchObject({ verdict: 'void', reasons: [full.text] });
  expect(markOf([{}])).toMatchObject({ verdict: 'stable' });
});

test('a try whose baseline failed says why, and nothing of the size that was asked', () => {
  const reason = { code: 'audio-loss' as const, text: '1a got nothing.' };
  const verdict = { kind: 'unstable' as const, reasons: [reason], thresholds: [] };
  const run = aRun([aRecord(1, { size: 1, ...withCores(3), verdict })], { outcome: 'baseline-unstable', stable: 0 });
  const mark = markOf40({ ...run, result: runResult(run) }, false);
  expect(mark).toMatchObject({ verdict: 'unstable', reasons: [reason.text], metrics: {} });
  expect(mark.size).toBeUndefined();
});

test('of a server that fails half of the nights no share is told by passes of a full probe host alone', () => {
  const nights = Array.from({ length: 100 }, (_, nth) => markOf([nth % 2 ? discarded : disturbed]));
  const [history] = historiesOf(aStory(nights).journal);
  expect(history).toMatchObject({ answered: 0, share: 'no run with an answer yet' });
  const [some] = historiesOf(aStory([aMark(), ...nights]).journal);
  expect(some).toMatchObject({ stable: 1, answered: 1 });
});

test('what a limit cost is of the passes that confirm it', () => {
  const { metrics } = markOf([{ ...disturbed, ...withCores(9) }, withCores(2)], true);
  expect(metrics['server CPU']).toMatchObject({ value: 2 });
});
