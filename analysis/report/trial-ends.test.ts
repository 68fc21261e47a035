import { expect, test } from '@playwright/test';
import type { LoadSummary } from '../../model/load-summary.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { aRecord, aRun } from '../../tests/builders/run-builder.js';
import { calls, withProbes } from '../../tests/builders/trial-builder.js';
import { earlyEndSentences, hasteSentences, scarcitySentences, steeringSentences } from './trial-ends.js';

const lossy = withProbes(calls(2), aProbe('2a').receivesVideo({ lossPercent: 12 }));
const runWith = (load: Partial<LoadSummary>) =>
  aRun([aRecord(calls(2), { index: 1, size: 2, load })], { outcome: 'found', stable: 2 });

test('trials that ended early are counted, and the first is named with its second', () => {
  const endedEarly = { afterMs: 12_000, because: '2a lost 12 %.' };
  const early = { ...aRecord(lossy, { index: 3, size: 2 }), endedEarly };
  expect(earlyEndSentences(aRun([early], { outcome: 'found', stable: 1 }))).toEqual([
    '1 unstable trial ended early, where no rest of the window could make it stable; the first, trial 3, after 12 s of measuring.',
  ]);
  const dead = { ...early, endedEarly: { ...endedEarly, afterMs: 0 } };
  expect(earlyEndSentences(aRun([dead, early], { outcome: 'found', stable: 1 }))[0]).toMatch(
    /^2 unstable trials .* trial 3, before measuring\.$/,
  );
});

test('what the probe host lacked is said even where the trial was judged', () => {
  const load = { throttledPercentMean: 8, probeHostStolenPercentMean: 4, probeHostMemoryMbMin: 500 };
  expect(scarcitySentences(runWith(load))).toEqual([
    'A CPU quota (cgroup) held the browsers back 8 % of the time in a judged trial.',
    "Other virtual machines took 4 % of the probe host's CPU in a judged trial.",
    'The probe host had 500 MB of memory left at its scarcest.',
  ]);
});

test('with enough of everything, and of old runs that do not say, nothing is said', () => {
  expect(scarcitySentences(runWith({}))).toEqual([]);
  const plenty = { throttledPercentMean: 0, probeHostStolenPercentMean: 0.2, probeHostMemoryMbMin: 9000 };
  expect(scarcitySentences(runWith(plenty))).toEqual([]);
  expect(earlyEndSentences(runWith({}))).toEqual([]);
});

test('how often foresight was right, and how many trials were screened, is said; of a run without either, nothing', () => {
  const record = aRecord(calls(2), { index: 1, size: 2 });
  const screened = { ...record, foresees: 'stable', screened: { afterMs: 15_000, because: 'It was clear.' } } as const;
  const wrong = { ...record, index: 2, foresees: 'unstable' } as const;
  expect(steeringSentences(aRun([screened, wrong], { outcome: 'found', stable: 2 }))).toEqual([
    'The search went where it foresaw the limit; 1 of 2 such trials came out as foreseen. No verdict rests on that.',
    '1 trial that only steered ended once clearly stable. None of that confirms the limit.',
  ]);
  expect(steeringSentences(runWith({}))).toEqual([]);
});

test('failures of faster joining that the answer leaves out are told by size, and of those that count nothing is said', () => {
  const at = (index: number, size: number, pacePerSecond: number, probes = calls(2)) => ({
    ...aRecord(probes, { index, size }),
    pacePerSecond,
  });
  const told = (...held: ReturnType<typeof at>[]) =>
    hasteSentences(
      aRun([at(1, 1, 2), at(2, 4, 16, lossy), at(3, 4, 16, lossy), ...held], { outcome: 'found', stable: 4 }),
    );
  expect(told(at(4, 4, 2), at(5, 5, 2))[0]).toContain('4 calls in 2 trials');
  expect(told()).toEqual([]);
  expect(told(at(4, 4, 16), at(5, 5, 2))).toEqual([]);
});
