import { serialize } from 'node:v8';
import { expect, test } from '@playwright/test';
import type { Sample } from '../../model/sample.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { startMs } from '../../tests/builders/trial-builder.js';
import { randomFrom } from '../../tests/random.js';
import { SampleFold } from './sample-fold.js';

test('what is kept of ten minutes is what is kept of one, though no second is like another', () => {
  const random = randomFrom(9);
  const probe = aProbe('1a');
  const samples = probe.samples(startMs, 600).map(
    (sample): Sample => ({
      ...sample,
      streams: sample.streams.map((stream) =>
        stream.direction === 'receive'
          ? { ...stream, metrics: { ...stream.metrics, jitterMs: 5 + random() } }
          : { ...stream, metrics: { ...stream.metrics, rttMs: 20 + random() } },
      ),
    }),
  );
  const bytesAfter = (seconds: number) => {
    const fold = new SampleFold([probe.participant()]);
    fold.begin({ startMs, endMs: startMs + 600_000 });
    for (const sample of samples.slice(0, seconds)) fold.add(sample);
    return serialize(fold).length;
  };
  expect(bytesAfter(600)).toBeLessThan(1.05 * bytesAfter(60) + 8 * 4 * 61);
});
