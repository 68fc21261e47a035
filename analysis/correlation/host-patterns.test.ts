import { expect, test } from '@playwright/test';
import type { ProbeHost } from '../../model/probe-host.js';
import type { TrialRecord } from '../../model/trial.js';
import { aRecord, aRun } from '../../tests/builders/run-builder.js';
import { calls } from '../../tests/builders/trial-builder.js';
import { both, times } from '../../tests/effort.js';
import { once } from '../../tests/once.js';
import { randomFrom } from '../../tests/random.js';
import { patternSentence } from '../report/pattern-sentences.js';
import { faultPatterns } from './correlation.js';

/** Six hosts: three at one place, two at another, one alone at its own. */
const hosts: readonly ProbeHost[] = [
  { id: 'a', place: 'eu' },
  { id: 'b', place: 'eu' },
  { id: 'c', place: 'us' },
  { id: 'd', place: 'us' },
  { id: 'e', place: 'ap' },
  { id: 'f', place: 'eu' },
];
const template = once(() => aRecord(calls(60), { index: 1, size: 60, seconds: 12 }));
const hostNth = (nth: number) => hosts[Math.floor(nth / 20)]?.id ?? '';

/** 120 probes, 20 to a host, callers and callees alike on each; these of them have a reason of the verdict. */
function trialOf(bad: ReadonlySet<number>): TrialRecord {
  const probes = template().probes.map((probe, nth) => ({
    ...probe,
    host: hostNth(nth),
    browser: nth % 4,
    page: nth % 4,
  }));
  const reasons = probes.flatMap(({ participant: { id } }, nth) =>
    bad.has(nth) ? [{ code: 'video-loss' as const, text: id, probe: id }] : [],
  );
  return { ...template(), hosts, probes, verdict: { ...template().verdict, kind: 'unstable', reasons } };
}

const sentencesOf = (record: TrialRecord) =>
  faultPatterns(record).map((pattern) => patternSentence(aRun([record], { outcome: 'found', stable: 1 }), pattern));

test('eleven of twelve failing probes on one host of six name that host', () => {
  const [sentence, ...more] = sentencesOf(trialOf(new Set([40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 7])));
  expect(sentence).toMatch(
    /^11 of the 12 failing probes are on host c, as 20 probes are: suspect the host, not the server\. Blind faults/,
  );
  expect(more).toEqual([]);
});

test('failing probes on both hosts of one place name the place, and on the only host of a place that host', () => {
  expect(sentencesOf(trialOf(new Set([40, 43, 46, 49, 52, 61, 64, 67, 70, 73])))[0]).toMatch(
    /^all 10 failing probes are on the hosts at us, as 40 probes are: suspect the place and its way to the server/,
  );
  expect(sentencesOf(trialOf(new Set([81, 83, 84, 87, 90, 92])))[0]).toMatch(/^all 6 failing probes are on host e,/);
});

test('a host that plays one role alone cannot be told from it, and that is said', () => {
  const record = trialOf(new Set([0, 2, 4, 6, 8, 10, 12, 14, 16]));
  const apart = record.probes.map((probe, nth) => ({ ...probe, host: nth % 2 === 0 ? 'a' : 'b' }));
  expect(sentencesOf({ ...record, probes: apart })[0]).toContain(
    'suspect the host, not the server, or what only the role caller does, for these are the same probes.',
  );
});

test('blind faults name a host or a place in no more trials than the chance allows', both, () => {
  const trials = times(60, 1000);
  const random = randomFrom(31);
  const named = { host: 0, place: 0 };
  for (let round = 0; round < trials; round += 1) {
    const bad = new Set<number>();
    while (bad.size < 4 + (round % 9)) bad.add(Math.floor(random() * 120));
    const kinds = new Set(faultPatterns(trialOf(bad)).map(({ shared }) => shared));
    if (kinds.has('host')) named.host += 1;
    if (kinds.has('place')) named.place += 1;
  }
  expect(named.host).toBeLessThan(trials / 20);
  expect(named.place).toBeLessThan(trials / 20);
});

test(
  'a host of which half of the probes fail, where elsewhere one in fifty does, is named in 19 of 20 trials',
  both,
  () => {
    const trials = times(40, 300);
    const random = randomFrom(32);
    const first = { right: 0, other: 0 };
    for (let round = 0; round < trials; round += 1) {
      const ill = round % hosts.length;
      const bad = new Set(
        template().probes.flatMap((_, nth) => (random() < (Math.floor(nth / 20) === ill ? 0.5 : 0.02) ? [nth] : [])),
      );
      const [pattern] = faultPatterns(trialOf(bad));
      if (pattern?.shared === 'host' && pattern.names[0] === hosts[ill]?.id) first.right += 1;
      else if (pattern?.shared === 'host') first.other += 1;
    }
    expect(first.right).toBeGreaterThanOrEqual(0.95 * trials);
    expect(first.other).toBe(0);
  },
);
