import { expect, test } from '@playwright/test';
import { askedLayer } from '../../model/layer.js';
import type { Sample } from '../../model/sample.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { aRecord } from '../../tests/builders/run-builder.js';
import { calls, startMs } from '../../tests/builders/trial-builder.js';
import { askedStreams, LayerCurves } from './layer-curves.js';

const seconds = 4;
const span = { fromMs: startMs, toMs: startMs + seconds * 1000, zeroMs: startMs, binMs: 1000 };
const media = { width: 960, videoKbps: 1000 };
const high = askedLayer(media, 'high');
const steady = [
  aProbe('1a').receivesVideo({ kbps: 600, fps: 30, width: 960 }).asksFor(high),
  aProbe('1b').receivesVideo({ kbps: 400, fps: 20, width: 480 }).asksFor(high),
  aProbe('1c').receivesVideo({ kbps: 80, fps: 15, width: 240 }).asksFor(askedLayer(media, 'low')),
];
const turning = aProbe('1d')
  .receivesVideo({ kbps: 240, fps: 25, width: 480 })
  .asksFor({ ...high, turns: [[0, 'high']] });

/** In the third second it asks for the middle layer, in the fourth for none. */
function withAsks(sample: Sample, nth: number): Sample {
  const layer = (['high', 'high', 'middle', 'none'] as const)[nth] ?? 'none';
  const streams = sample.streams.map((one) =>
    one.direction === 'receive' && one.kind === 'video' ? { ...one, asked: { layer, forMs: 5000 } } : one,
  );
  return { ...sample, streams };
}

function drawn(all: typeof steady) {
  const { probes } = aRecord([...all, aProbe('1e')], { index: 1, size: 1, seconds });
  const curves = new LayerCurves(askedStreams(probes), span);
  for (const probe of all)
    for (const [nth, sample] of probe.samples(startMs, seconds).entries())
      curves.add(probe === turning ? withAsks(sample, nth) : sample);
  return Object.fromEntries(curves.curves().map(({ of, layer, values }) => [`${of} ${layer}`, values]));
}

const all = (value: number) => Array.from({ length: seconds }, () => value);

test('each layer has the mean of those who asked for it, whatever came in its place', () => {
  expect(drawn(steady)).toEqual({
    ...{ 'kbps low': all(80), 'kbps high': all(500) },
    ...{ 'fps low': all(15), 'fps high': all(25) },
    ...{ 'width low': all(240), 'width high': all(720) },
  });
});

test('of a picture that is shown now large, now small, each second is of the layer that was asked for then', () => {
  const { 'kbps middle': middle, 'kbps high': ofHigh, 'kbps low': low } = drawn([turning]);
  expect({ middle, ofHigh, low }).toEqual({
    middle: [null, null, 240, null],
    ofHigh: [240, 240, null, null],
    low: undefined,
  });
});

test('where nobody asks for a layer there are no such curves', () => {
  const { probes } = aRecord(calls(1), { index: 1, size: 1, seconds });
  expect(new LayerCurves(askedStreams(probes), span).curves()).toEqual([]);
});
