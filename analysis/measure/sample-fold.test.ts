import { serialize } from 'node:v8';
import { expect, test } from '@playwright/test';
import type { Sample } from '../../model/sample.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { startMs } from '../../tests/builders/trial-builder.js';
import { randomFrom } from '../../tests/random.js';
import { SampleFold } from './sample-fold.js';
import { packetsIn } from './window.js';

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

test('where probes come and go, packets are counted of the whole window, whoever is measured in it', () => {
  const probes = [aProbe('1a'), aProbe('1b')];
  const samples = probes.flatMap((probe) => probe.samples(startMs - 5000, 70));
  const window = { startMs, endMs: startMs + 60_000 };
  const packets = (startOf?: (probe: string) => number | undefined) => {
    const fold = new SampleFold(probes.map((probe) => probe.participant()));
    fold.begin({ ...window, ...(startOf ? { startOf } : {}) });
    for (const sample of samples) fold.add(sample);
    return packetsIn(fold, window);
  };
  // The one was there before, the other comes after 20 s.
  const some = packets((probe) => (probe === '1a' ? undefined : startMs + 20_000));
  for (const way of ['packetsReceived', 'packetsSent'] as const) {
    expect(some[way]).toBeCloseTo(packets()[way], 6);
    expect(packets()[way]).toBeGreaterThan(0);
  }
});

test('what the window said at a moment is kept until it goes on, and asked for after that it is an error', () => {
  const probe = aProbe('1a');
  const ends = [10, 20, 30].map((seconds) => startMs + 1000 * seconds);
  const fold = new SampleFold([probe.participant()]);
  fold.begin({ startMs, endMs: startMs + 60_000, ends, keepsEnds: true });
  const [first = 0, second = 0, third = 0] = ends;
  for (const sample of probe.samples(startMs, 25)) fold.add(sample);
  const framesAt = (endMs: number) => fold.probe(probe.participant(), endMs).streams.map(({ count }) => count);
  const atSecond = framesAt(second);
  const large = serialize(fold).length;
  fold.letGo(first);
  expect(serialize(fold).length).toBeLessThan(large);
  expect(framesAt(second)).toEqual(atSecond);
  expect(() => framesAt(first)).toThrow('let go of');
  // A moment may be let go of before all have come to it.
  fold.letGo(third);
  for (const sample of probe.samples(startMs, 40).slice(25)) fold.add(sample);
  expect(framesAt(startMs + 40_000).every((count) => count > 30)).toBe(true);
});

test('at a moment at which nobody has noticed anything nothing is kept, and it is known that nothing is', () => {
  const probe = aProbe('1a');
  const ends = [10, 20].map((seconds) => startMs + 1000 * seconds);
  const [first = 0, second = 0] = ends;
  const fold = new SampleFold([probe.participant()]);
  const wasNoticed = (haltMs: number) => haltMs > first;
  fold.begin({ startMs, endMs: startMs + 60_000, ends, halts: ends.map((atMs) => atMs - 2000), wasNoticed });
  for (const sample of probe.samples(startMs, 25)) fold.add(sample);
  expect([first, second].map((atMs) => fold.isKnownAt(atMs))).toEqual([false, true]);
  expect(fold.probe(probe.participant(), second).streams.every(({ count }) => count > 0)).toBe(true);
});
