import { expect, test } from '@playwright/test';
import type { Sample } from '../../model/sample.js';
import { baselineOf } from '../../tests/builders/baseline-of.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { aTrial, startMs } from '../../tests/builders/trial-builder.js';
import { summariseStreams } from '../measure/window.js';
import { judge } from './judge.js';

const minute = { startMs, endMs: startMs + 60_000 };
const two = (second = {}) => aProbe('1a').inRole('viewer').receivesVideoFrom('1b').receivesVideoFrom('1c', second);
const baseline = baselineOf(two().samples(startMs, 60), [two().participant()], minute);

/** The same with nothing of stream 1c in the seconds from one to before another: it was away, or getStats lost it. */
function without(samples: readonly Sample[], from: number, to: number, how: { away?: true }): Sample[] {
  return samples.map((sample, second) => ({
    ...sample,
    streams: sample.streams.map((stream) =>
      stream.direction === 'receive' && stream.stream === '1c' && second >= from && second < to
        ? { ...stream, metrics: {}, ...how }
        : stream,
    ),
  }));
}

const trialOf = (probe: ReturnType<typeof two>, from: number, to: number, how: { away?: true } = { away: true }) => {
  const trial = aTrial([probe], { baseline });
  return { ...trial, samples: without(trial.samples, from, to, how) };
};

test('a stream whose source left is judged by the time that it was there, and is not missed afterwards', () => {
  const trial = trialOf(two(), 20, 60);
  expect(judge(trial)).toMatchObject({ kind: 'stable', reasons: [] });
  const [, left] = summariseStreams(trial.samples, [two().participant()], minute);
  expect(left).toMatchObject({ stream: '1c', values: { bitrateKbps: 500, fps: 30, frozenMs: 0 } });
  const [, poor] = judge(trialOf(two({ fps: (second: number) => (second < 20 ? 11 : 30) }), 20, 60)).reasons;
  expect(poor).toBeUndefined();
  expect(judge(trialOf(two({ fps: (second: number) => (second < 20 ? 11 : 30) }), 20, 60)).reasons[0]).toMatchObject({
    code: 'low-frame-rate',
    stream: { stream: '1c' },
  });
});

test('a stream that came is judged from when it came: what starves from there on has failed', () => {
  expect(judge(trialOf(two(), 0, 40)).kind).toBe('stable');
  const { kind, reasons } = judge(trialOf(two({ kbps: 0, fps: 0 }), 0, 40));
  expect({ kind, reasons }).toMatchObject({
    kind: 'unstable',
    reasons: [{ code: 'no-media', stream: { stream: '1c' }, text: expect.stringContaining('20 s') }],
  });
});

test('a stream that was away in all of the window is not expected, and the others of its connection are', () => {
  const trial = trialOf(two(), 0, 60);
  expect(judge(trial)).toMatchObject({ kind: 'stable', reasons: [] });
  expect(summariseStreams(trial.samples, [two().participant()], minute).map(({ stream }) => stream)).toEqual(['1b']);
});

test('a freeze that ends when a stream is back counts from when its source was back until its frames came', () => {
  const frozen = two({
    freezeMs: (second: number) => (second === 30 ? 11_000 : 0),
    fps: (second: number) => (second === 30 ? 10 : 30),
  });
  const [, back] = summariseStreams(trialOf(frozen, 20, 30).samples, [frozen.participant()], minute);
  expect(back?.values.frozenMs).toBeCloseTo(700, 6);
  expect(back?.values.longestFreezeMs).toBeCloseTo(700, 6);
});

test('a stream that a server drops without a word has seconds in which nothing came, and fails', () => {
  const { kind, reasons } = judge(trialOf(two(), 20, 60, {}));
  expect(kind).toBe('unstable');
  expect(reasons.map(({ code }) => code)).toContain('low-bitrate');
  expect(reasons.every(({ stream }) => stream?.stream === '1c')).toBe(true);
});
