import { expect, test } from '@playwright/test';
import type { Answer } from '../../model/run.js';
import { aRun } from '../../tests/builders/run-builder.js';
import { runStory } from '../../tests/builders/run-stories.js';
import { headline } from './headline.js';
import { junit } from './junit.js';
import { becauseText } from './shown-sizes.js';

const records = () => runStory('flaky').records;
const found = { outcome: 'found', stable: 3, unstable: 5, flaky: [4] } as const;
const drifting: Answer = {
  outcome: 'drifting',
  stable: 2,
  unstable: 4,
  flaky: [],
  because: 'The server got worse while it was searched.',
  drift: {
    fresh: { size: 4, trial: 5, failedAgain: 6 },
    end: { size: 2, trial: 7 },
    costs: [{ of: 'serverCores', size: 12, early: { trial: 3, value: 0.51 }, late: { trial: 14, value: 0.78 } }],
  },
};

test('a search that was cut short names its interval and how often its sides were tried, never "about"', () => {
  expect(headline(aRun(records(), { ...found, cutShort: true }))).toBe(
    'The limit of embedded 0.1.0 is 3 to 4 calls on 4 cores, by one trial each; the search was cut short.',
  );
});

test('a limit is told with the cores and the up-link that the server was given', () => {
  const run = aRun(records(), found);
  const server = { ...run.manifest.server, egressLimitBps: 3e6, cpuLimitCores: 0.25 };
  const held = { ...run, manifest: { ...run.manifest, server } };
  expect(headline(held)).toContain('(6 probes) on 0.25 cores with an up-link of 3 Mbit/s');
  const elsewhere = { ...held, manifest: { ...held.manifest, server: { ...server, sameHost: false } } };
  expect(headline(elsewhere)).toContain('(6 probes) with an up-link of 3 Mbit/s');
});

test('a limit of one is one call', () => {
  expect(headline(aRun(records(), { ...found, stable: 1, unstable: 2, cutShort: true }))).toContain('is 1 call on');
});

test('of a size that passed where it confirms nothing no count of trials is told', () => {
  const disturbedBy = [{ code: 'environment' as const, text: 'Other virtual machines took 11 % of the CPU.' }];
  const disturbed = records().map((one) =>
    one.size === 3 ? { ...one, verdict: { ...one.verdict, disturbedBy } } : one,
  );
  expect(headline(aRun(disturbed, { ...found, cutShort: true }))).toContain(
    ', 3 stable in trials that confirm nothing, 5 stable in 0 of 1;',
  );
  expect(headline(aRun(disturbed, { outcome: 'reached-max', stable: 3, cutShort: true }))).toContain(
    'holds at least 3 calls (6 probes) on 4 cores, in trials that confirm nothing, the largest size',
  );
});

test('a limit that also failed says so, and so does one beside which smaller sizes failed', () => {
  expect(headline(aRun(records(), { ...found, stable: 4 }))).toContain(
    'holds 4 calls (8 probes) on 4 cores, in 1 of 2 trials.',
  );
  expect(headline(aRun(records(), { ...found, failedBelow: [2] }))).toContain(', though 2 failed.');
});

test('a limit that failed by a background says so, and where that may rise with the size', () => {
  const background = {
    trials: 1,
    atLimit: 1,
    above: { by: 3, of: 4000 },
    below: { by: 0, of: 900 },
    mayRise: true,
  } as const;
  expect(headline(aRun(records(), { ...found, stable: 4, background }))).toContain(
    'holds 4 calls (8 probes) on 4 cores, in 2 of 2 trials, 1 of them with a background: 3 of 4000 participants noticed something, too few to tell whether that rises with the size.',
  );
});

test('a server that got worse has no limit: told is what it held fresh and in the end, what it cost, and the remedy', () => {
  const run = aRun(records(), drifting);
  expect(headline(run)).toBe(
    'embedded 0.1.0 got worse while it was searched, so no one size is its limit: fresh it held 4 calls (trial 5) and no more in trial 6, at the end 2.',
  );
  expect(becauseText(run)).toContain('The same 12 calls: 0.51 cores in trial 3, 0.78 cores in trial 14.');
  expect(becauseText(run)).toContain('--reset restart');
});

test('a run without an answer has a case in JUnit that fails', () => {
  const nothing = runStory('nothing');
  expect(junit(nothing)).toContain('name="answer"');
  expect(junit(aRun([], { outcome: 'void', stable: 0 }))).toContain('failures="1"');
  expect(junit(aRun(records(), drifting))).toContain('name="answer"');
  expect(junit(aRun(records(), found))).not.toContain('name="answer"');
});
