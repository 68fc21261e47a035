import { expect, test } from '@playwright/test';
import { judge } from '../../analysis/judge/judge.js';
import { worstThresholds } from '../../analysis/judge/summary.js';
import { withExpressions } from '../../analysis/judge/thresholds/apply.js';
import { readExpression } from '../../analysis/judge/thresholds/expression.js';
import type { Link, Network } from '../../model/network.js';
import { thresholdsSchema } from '../../model/plan.js';
import { thresholdKey } from '../../model/threshold-id.js';
import type { ThresholdResult } from '../../model/verdict.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { aTrial, calls, withProbes } from '../../tests/builders/trial-builder.js';
import { recordedRun } from '../../tests/stored-runs.js';
import { withThresholdIds } from './earlier-thresholds.js';
import { readRun } from './read-run.js';

const [record] = (await readRun(recordedRun)).records;

/** The record as it would have been stored without identities, read again. */
function readAgain(thresholds: readonly ThresholdResult[]): readonly ThresholdResult[] {
  if (!record) throw new Error('the recorded run is empty');
  const bare = thresholds.map(({ id: _, ...rest }) => rest as ThresholdResult);
  return withThresholdIds({ ...record, verdict: { ...record.verdict, thresholds: bare } }).verdict.thresholds;
}

const limits = (...texts: readonly string[]) =>
  withExpressions(
    thresholdsSchema.parse({}),
    texts.flatMap((text) => {
      const read = readExpression(text);
      return read.ok ? [read.expression] : [];
    }),
  );

const lossy: Link = { delayMs: 40, loss: { kind: 'random', percent: 3 } };
const networks: readonly Network[] = [{ name: 'lossy', sharePercent: 100, up: lossy, down: lossy, steps: [] }];
const own = limits(
  'p50(join.firstFrame) <= 9s',
  'received.video.bitrate >= 60% of baseline',
  'sent.audio.jitter <= 90ms',
  'fps >= 5',
  'bad probes <= 1',
);

const trials = {
  plain: aTrial(calls(1)),
  'without a baseline': aTrial(calls(1), { baseline: null }),
  'on a lossy link': { ...aTrial(calls(1)), networks },
  'on a lossy link without a baseline': { ...aTrial(calls(1), { baseline: null }), networks },
} as const;

/** Limits that came when thresholds had identities. */
const later: ReadonlySet<string> = new Set([
  'narrow-picture',
  'jitter-buffer',
  'silent-sound',
  'round-trip-peaks',
  'seated-gaps',
  'stutter',
  'sound-gap',
]);
const thresholdsOf = (trial: Parameters<typeof judge>[0]) =>
  judge(trial).thresholds.filter(({ code }) => !later.has(code));

for (const [name, trial] of Object.entries(trials)) {
  test(`thresholds that were stored without identity are read as what they are: a trial ${name}`, () => {
    for (const thresholds of [limits(), own]) {
      const judged = thresholdsOf({ ...trial, thresholds });
      expect(judged.length).toBeGreaterThan(8);
      expect(JSON.stringify(readAgain(judged))).toBe(JSON.stringify(judged));
    }
  });
}

test('a threshold that was called otherwise before is the same one in a run that was resumed', () => {
  const thresholds = thresholdsOf(trials.plain);
  const earlier = thresholds.map((one) => (one.code === 'video-loss' ? { ...one, label: 'video loss, mean' } : one));
  const keys = (results: readonly ThresholdResult[]) => results.map(({ id }) => thresholdKey(id));
  expect(keys(readAgain(earlier))).toEqual(keys(thresholds));
});

test('what an earlier version limited on more streams is another threshold than today’s', () => {
  const jitter = judge(trials.plain).thresholds.filter(({ code }) => code === 'jitter');
  const [before] = readAgain(jitter.map((one) => ({ ...one, label: 'jitter, mean' })));
  expect(before?.id).toEqual({ of: 'stream', aggregate: 'jitterMs', direction: 'receive', comparison: 'at-most' });
});

test('what is not known by its name keeps that as its identity', () => {
  const [first] = judge(trials.plain).thresholds;
  const strange = first ? [{ ...first, code: 'threshold', label: 'gloss, mean' } as const] : [];
  expect(readAgain(strange)[0]?.id).toEqual({ of: 'other', name: 'gloss, mean' });
});

test('a limit from above and one from below on the same value are two thresholds', () => {
  const probes = withProbes(calls(2), aProbe('1a').receivesVideo({ kbps: 450 }));
  const { thresholds } = judge({
    ...aTrial(probes),
    thresholds: limits('received.video.bitrate >= 300 kbit/s', 'received.video.bitrate <= 900 kbit/s'),
  });
  if (!record) throw new Error('the recorded run is empty');
  const verdict = { ...record.verdict, kind: 'stable', thresholds } as const;
  const rows = worstThresholds([{ ...record, verdict }]).filter(({ code }) => code === 'threshold');
  expect(rows.map(({ limitText }) => limitText)).toEqual(['≥ 300 kbit/s', '≤ 900 kbit/s']);
});
