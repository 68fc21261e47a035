import { expect, test } from '@playwright/test';
import { askedLayer } from '../../model/layer.js';
import { mediaSchema, thresholdsSchema } from '../../model/plan.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { aRecord, aRun } from '../../tests/builders/run-builder.js';
import { aTrial, calls } from '../../tests/builders/trial-builder.js';
import { judge } from '../judge/judge.js';
import { withExpressions } from '../judge/thresholds/apply.js';
import { readExpression } from '../judge/thresholds/expression.js';
import { layerSentences } from './layer-sentences.js';

const media = mediaSchema.parse({ width: 1280, height: 720, videoKbps: 2500 });
/** Both of a call ask for the low layer of 320 px, and get such a width. */
const members = (width: number) =>
  calls(1).map(({ id }) => aProbe(id).receivesVideo({ width }).asksFor(askedLayer(media, 'low')));
const runOf = (width: number) =>
  aRun([aRecord(members(width), { index: 1, size: 1, baseline: null })], { outcome: 'found', stable: 1 });

test('who gets a layer above the one asked for is told, and no reason', () => {
  const run = runOf(1280);
  expect(run.records.map(({ verdict }) => verdict.kind)).toEqual(['stable']);
  expect(layerSentences(run)).toEqual([
    'Warning: the server sent layers above those asked for in a trial. In trial 1 (1 call) 2 of 2 received streams had them, one of 1a for 100 % of the time. Nobody notices it, but it costs the server. --threshold "received.video.aboveLayer.share <= 5%" makes it a limit.',
  ]);
  expect(layerSentences(runOf(320))).toEqual([]);
});

test('the limit that it names makes it one', () => {
  const read = readExpression('received.video.aboveLayer.share <= 5%');
  if (!read.ok) throw new Error(read.pointer);
  const thresholds = withExpressions(thresholdsSchema.parse({}), [read.expression]);
  expect(judge({ ...aTrial(members(1280), { baseline: null }), thresholds }).reasons.map(({ text }) => text)).toEqual([
    expect.stringContaining('received.video.aboveLayer'),
    expect.stringContaining('received.video.aboveLayer'),
  ]);
});
