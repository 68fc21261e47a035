import { expect, test } from '@playwright/test';
import type { TrialRecord } from '../../model/trial.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { aRecord, aRun } from '../../tests/builders/run-builder.js';
import { calls, withProbes } from '../../tests/builders/trial-builder.js';
import { both, times } from '../../tests/effort.js';
import { patternSentence } from '../report/pattern-sentences.js';
import { hypergeometricTail, wholeGroupsTail } from './chance.js';
import { faultPatterns } from './correlation.js';

/** Calls of which these probes lose 20 % of what they receive; dealt to pages like cards, 4 pages to a browser. */
function trialOf(count: number, bad: readonly string[], pages: number): TrialRecord {
  const lossy = bad.map((id) => aProbe(id).receivesVideo({ lossPercent: 20 }));
  const record = aRecord(withProbes(calls(count), ...lossy), { index: 4, size: count, seconds: 12 });
  const probes = record.probes.map((probe, index) => ({
    ...probe,
    page: index % pages,
    browser: Math.floor((index % pages) / 4),
  }));
  return { ...record, probes };
}

const idsAt = (record: TrialRecord, browser: number) =>
  record.probes.filter((probe) => probe.browser === browser).map(({ participant }) => participant.id);

test('four of five failing probes in one browser of ten name the browser and suspect the generator', () => {
  const layout = trialOf(20, [], 40);
  const bad = [...idsAt(layout, 2), '20b'];
  const record = trialOf(20, bad, 40);
  const [pattern, ...more] = faultPatterns(record);
  expect(pattern).toMatchObject({ shared: 'browser', names: ['2'], groupProbes: 4, failing: 5 });
  expect(pattern?.probes).toEqual(idsAt(layout, 2));
  expect(more).toEqual([]);
  const run = aRun([record], { outcome: 'found', stable: 1 });
  expect(pattern && patternSentence(run, pattern)).toBe(
    '4 of the 5 failing probes share browser 2, which plays 4: suspect the generator, not the server. Blind faults would look so in 1 of 366 runs.',
  );
});

test('both ends of one call of eighty are named, of one in four are not, for that is chance', () => {
  const [pattern] = faultPatterns(trialOf(80, ['7a', '7b'], 20));
  expect(pattern).toMatchObject({ shared: 'session', names: ['7'], probes: ['7a', '7b'] });
  const run = aRun([], { outcome: 'found', stable: 1 });
  expect(pattern && patternSentence(run, pattern)).toContain('both ends of call 7 fail, and nobody else: suspect');
  expect(faultPatterns(trialOf(4, ['3a', '3b'], 2))).toEqual([]);
});

test('several calls that fail as a whole are named together, where each alone would be chance', () => {
  const record = trialOf(60, ['3a', '3b', '7a', '7b', '9a', '9b', '12a', '20b', '21a', '28a'], 15);
  const [pattern] = faultPatterns(record);
  expect(pattern).toMatchObject({ shared: 'session', names: ['3', '7', '9'], failing: 10 });
  expect(pattern?.chance).toBeLessThan(0.05);
  const run = aRun([record], { outcome: 'found', stable: 1 });
  expect(pattern && patternSentence(run, pattern)).toContain(
    'both ends of calls 3, 7 and 9 fail, beside 4 other failing probes',
  );
});

test('a network has browsers of its own, and what fails on it is not blamed on them', () => {
  const layout = trialOf(20, [], 40);
  const bad = idsAt(layout, 2);
  const record = trialOf(20, bad, 40);
  const probes = record.probes.map((probe) => {
    const network = bad.includes(probe.participant.id) ? 'poor-3g' : 'clean';
    return { ...probe, participant: { ...probe.participant, network } };
  });
  const [pattern, ...more] = faultPatterns({ ...record, probes });
  expect(pattern).toMatchObject({ shared: 'network', names: ['poor-3g'], groupProbes: 4, failing: 4 });
  expect(more).toEqual([]);
  const run = aRun([record], { outcome: 'found', stable: 1 });
  expect(pattern && patternSentence(run, pattern)).toContain(
    'all 4 failing probes are on the network poor-3g, as 4 probes are: suspect the link before the server.',
  );
});

test('when only one role fails, the role is named', () => {
  const bad = Array.from({ length: 8 }, (_, index) => `${index + 1}a`);
  const [pattern] = faultPatterns(trialOf(12, bad, 6));
  expect(pattern).toMatchObject({ shared: 'role', names: ['caller'], failing: 8, groupProbes: 12 });
});

test('a fault that hits everybody, one or nobody has no pattern', () => {
  const all = calls(8).map(({ id }) => id);
  expect(faultPatterns(trialOf(8, all, 4))).toEqual([]);
  expect(faultPatterns(trialOf(8, ['1a'], 4))).toEqual([]);
  expect(faultPatterns(trialOf(8, [], 4))).toEqual([]);
});

test('blind faults are named in at most one run of twenty, over all kinds of groups and its three trials', both, () => {
  const rounds = times(150, 1000);
  const template = trialOf(16, [], 8);
  let seed = 1;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed / 2 ** 31;
  };
  let named = 0;
  for (let round = 0; round < rounds; round += 1) {
    const isNamed = () => {
      const ids = template.probes.map(({ participant }) => participant.id);
      const bad = ids.map((id) => ({ id, at: random() })).sort((a, b) => a.at - b.at);
      const reasons = bad.slice(0, 6).map(({ id }) => ({ code: 'video-loss' as const, text: id, probe: id }));
      const record = { ...template, verdict: { ...template.verdict, kind: 'unstable' as const, reasons } };
      return faultPatterns(record, 3).length > 0;
    };
    if ([isNamed(), isNamed(), isNamed()].includes(true)) named += 1;
  }
  expect(named).toBeLessThanOrEqual(rounds / 20);
});

test('the tails are those of the distributions: counted by hand', () => {
  // Both bad ones of 10 in one pair: 1 of 45 pairs of probes.
  expect(hypergeometricTail({ all: 10, failing: 2, group: 2, hit: 2 })).toBeCloseTo(1 / 45, 12);
  expect(hypergeometricTail({ all: 64, failing: 5, group: 16, hit: 4 })).toBeCloseTo(91_728 / 7_624_512, 12);
  expect(hypergeometricTail({ all: 2000, failing: 5, group: 4, hit: 0 })).toBeCloseTo(1, 9);
  // Two bad ones of 8 in the same of 4 pairs: 4 of 28.
  expect(wholeGroupsTail({ sizes: [2, 2, 2, 2], all: 8, failing: 2, whole: 1 })).toBeCloseTo(4 / 28, 12);
  expect(wholeGroupsTail({ sizes: [2, 2, 2, 2], all: 8, failing: 4, whole: 2 })).toBeCloseTo(6 / 70, 12);
  // Four bad ones of 12 as one of three rooms of 4: 3 of 495.
  expect(wholeGroupsTail({ sizes: [4, 4, 4], all: 12, failing: 4, whole: 1 })).toBeCloseTo(3 / 495, 12);
  expect(wholeGroupsTail({ sizes: [4, 4, 4], all: 12, failing: 8, whole: 2 })).toBeCloseTo(3 / 495, 12);
});
