import { expect, test } from '@playwright/test';
import type { Aggregates } from '../../model/aggregate.js';
import { expectedStreams } from '../../model/expected-streams.js';
import { askedLayer, type LayerName } from '../../model/layer.js';
import { mediaSchema } from '../../model/plan.js';
import type { Baseline } from '../../model/trial.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { aTrial, calls, healthyBaseline, withProbes } from '../../tests/builders/trial-builder.js';
import { judge } from './judge.js';
import { shareOfBaseline } from './stream-rules.js';

const media = mediaSchema.parse({ width: 1280, height: 720, videoKbps: 2500 });
const asked = (name: LayerName, width: number | ((second: number) => number)) =>
  aProbe('1a').receivesVideo({ width }).asksFor(askedLayer(media, name));

const seen = (name: LayerName, width: number | ((second: number) => number), baseline: Baseline | null = null) =>
  judge(aTrial(withProbes(calls(2), asked(name, width)), { baseline })).reasons.map(({ text }) => text);

test('a receiver that gets another layer than it asked for is named, with both', () => {
  expect(seen('high', 1280)).toEqual([]);
  expect(seen('high', 320)).toEqual([
    '1a received video from 1b below the high layer that it asked for in 100 % of the time: 320 px wide in the median, and not 1280 (limit 5 %).',
  ]);
  expect(seen('low', 1280)).toEqual([]);
});

test('a switch takes its time, and what an encoder rounds is no other layer', () => {
  expect(seen('middle', 636)).toEqual([]);
  expect(seen('middle', (second) => (second < 2 ? 320 : 640))).toEqual([]);
  expect(seen('middle', (second) => (second < 6 ? 320 : 640))).toHaveLength(1);
});

test('without pictures a width says nothing', () => {
  const none = aProbe('1a').receivesVideo({ width: 320, fps: 0 }).asksFor(askedLayer(media, 'high'));
  const codes = judge(aTrial(withProbes(calls(2), none), { baseline: null })).reasons.map(({ code }) => code);
  expect(codes).not.toContain('wrong-layer');
});

test('where nobody asks for a layer there is no row of it', () => {
  const { thresholds } = judge(aTrial(calls(2), { baseline: healthyBaseline() }));
  expect(thresholds.map(({ code }) => code)).not.toContain('wrong-layer');
});

test('the rate of a layer that is not known here is held against nothing', () => {
  const layer = { ...askedLayer(media, 'high'), turns: [[0, 'low']] } as const;
  const participant = asked('high', 1280).asksFor(layer).participant();
  const stream = expectedStreams([participant]).find(
    ({ direction, kind }) => direction === 'receive' && kind === 'video',
  );
  if (!stream) throw new Error('no picture is expected');
  const streams = { 'caller/receive/video:shown': { bitrateKbps: 900, lowLayerKbps: 200, highLayerKbps: 1700 } };
  const measure = { ...aTrial(calls(2)), baseline: { streams } };
  const shares = { lowLayerPercent: 50, highLayerPercent: 50 };
  const share = (values: Aggregates) =>
    shareOfBaseline('bitrateKbps', { stream, values: { ...shares, ...values } }, measure);
  expect(share({ lowLayerKbps: 200, highLayerKbps: 1700 })).toBe(100);
  expect(share({ lowLayerKbps: 200 })).toBe(100);
  expect(share({})).toBeUndefined();
});
