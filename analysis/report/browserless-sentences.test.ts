import { expect, test } from '@playwright/test';
import type { FinishedRun } from '../../model/finished-run.js';
import { aRecord, aRun } from '../../tests/builders/run-builder.js';
import { calls } from '../../tests/builders/trial-builder.js';
import { browserlessSentences } from './browserless-sentences.js';

/** One trial of three calls, with so many of its six probes native. */
function runOf(nativeProbes: number, { sameHost = false } = {}): FinishedRun {
  const run = aRun([aRecord(calls(3), { index: 1, size: 3 })], { outcome: 'found', stable: 3 });
  const records = run.records.map((record) => ({
    ...record,
    probes: record.probes.map((probe, index) => (index < nativeProbes ? { ...probe, native: true as const } : probe)),
  }));
  const { manifest } = run;
  const plan = { ...manifest.plan, players: { kind: 'native' as const, sentinels: 4 } };
  return { ...run, records, manifest: { ...manifest, plan, server: { ...manifest.server, sameHost } } };
}

test('how many had no browser is said, and what the others alone could tell', () => {
  const [how, alike, ...rest] = browserlessSentences(runOf(2));
  expect(how).toMatch(
    /^2 of 6 probes of the largest judged trial had no browser: .* a model of a player, .* That 4 browsers judged\.$/,
  );
  expect(alike).toContain('a trial is void (kinds-disagree)');
  expect(rest).toEqual([]);
});

test('of a server on their host it is said what they spare it, since a limit of its CPU is lower with browsers', () => {
  const sentences = browserlessSentences(runOf(2, { sameHost: true }));
  expect(sentences.at(-1)).toContain('the limit with browsers on this host is lower by as much');
});

test('where none was in a judged trial, only that is said', () => {
  expect(browserlessSentences(runOf(0, { sameHost: true }))).toEqual([
    'No probe without a browser was in a judged trial: its few receivers were all browsers (--sentinels).',
  ]);
  expect(browserlessSentences({ ...runOf(2), records: [] }), 'none was judged').toEqual([]);
});

test('of a run with browsers alone nothing is said', () => {
  expect(
    browserlessSentences(aRun([aRecord(calls(3), { index: 1, size: 3 })], { outcome: 'found', stable: 3 })),
  ).toEqual([]);
});
