import { expect, test } from '@playwright/test';
import type { FinishedRun } from '../../model/finished-run.js';
import type { WarmUp } from '../../model/warm-up.js';
import { runStory } from '../../tests/builders/run-stories.js';
import { trustSentences } from './trust-section.js';
import { warmUpSentences } from './warm-up-sentences.js';

const found = () => runStory('found');
const warmUp = (changes: Partial<WarmUp> = {}): WarmUp => ({
  startedAtMs: 0,
  endedAtMs: 6000,
  probesAsked: 2,
  probesUp: 2,
  joinMs: 4700,
  firstFrameMs: 4900,
  ...changes,
});
/** The run with these warm-ups before its first trials. */
const warmedBy = (...warmUps: readonly WarmUp[]): FinishedRun => ({
  ...found(),
  records: found().records.map((record, index) => {
    const own = warmUps[index];
    return own ? { ...record, warmUp: own } : record;
  }),
});

test('a report tells of the warm-up with its own times, and that it is not judged', () => {
  const [sentence = ''] = warmUpSentences(warmedBy(warmUp()));
  expect(sentence).toBe('Before trial 1: warm-up, not judged: joined in 4.7 s, first frame 4.9 s after its sources.');
  expect(trustSentences(warmedBy(warmUp()))).toContain(sentence);
});

test('of several warm-ups it tells the span, and how many failed', () => {
  const failed = { startedAtMs: 0, endedAtMs: 12_000, probesAsked: 2, probesUp: 0, failure: 'x.' };
  const run = warmedBy(warmUp(), warmUp({ joinMs: 4600, firstFrameMs: 5000 }), failed);
  expect(warmUpSentences(run)).toEqual([
    'Warm-ups before 3 trials, not judged: joined in 4.6 to 4.7 s, first frame 4.9 to 5 s after its sources, 1 in which not all came up.',
  ]);
});

test('a run without any says so only where it was asked for', () => {
  expect(warmUpSentences(found())).toEqual([]);
  const { manifest } = found();
  const plan = { ...manifest.plan, timing: { ...manifest.plan.timing, warmUp: false } };
  expect(warmUpSentences({ ...found(), manifest: { ...manifest, plan } })).toEqual([
    'There was no warm-up: the first joins on a cold server were judged as all others.',
  ]);
});
