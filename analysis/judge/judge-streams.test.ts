import { expect, test } from '@playwright/test';
import type { Leg } from '../../model/scenario.js';
import { baselineOf } from '../../tests/builders/baseline-of.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { aTrial, startMs } from '../../tests/builders/trial-builder.js';
import { summariseStreams } from '../measure/window.js';
import { streamPhrase } from '../wording/wording.js';
import { judge } from './judge.js';

const hears = (id: string) => aProbe(id).inRole('viewer');
const minute = { startMs, endMs: startMs + 60_000 };
const two = (slow = {}) => hears('1a').receivesVideoFrom('1b').receivesVideoFrom('1c', slow);

/** What a viewer of two gets alone. */
const baseline = baselineOf(two().samples(startMs, 60), [two().participant()], minute);

test('streams of a kind on one connection are judged apart, and the reason names the one that starves', () => {
  const { kind, reasons } = judge(aTrial([two({ fps: 11 })], { baseline }));
  expect(kind).toBe('unstable');
  expect(reasons.map(({ code, stream, text }) => ({ code, stream, text }))).toEqual([
    {
      code: 'low-frame-rate',
      stream: { leg: '1a', direction: 'receive', kind: 'video', stream: '1c' },
      text: "1a received video from 1c at 11 fps, 36.7 % of the baseline's 30 (limit 80 %).",
    },
  ]);
  expect(judge(aTrial([two()], { baseline })).reasons).toEqual([]);
});

test('a stream that did not arrive is missed by its name although another of its kind came on the same connection', () => {
  const { reasons } = judge(aTrial([two({ kbps: 0, fps: 0 })], { baseline }));
  expect(reasons.map(({ code, text }) => [code, text])).toEqual([
    ['no-media', '1a received no video from 1c in 60 s.'],
  ]);
});

test('each stream has aggregates of its own under its id, and streams that are alike share a baseline', () => {
  const uneven = hears('1a').receivesVideoFrom('1b', { kbps: 400 }).receivesVideoFrom('1c', { kbps: 600 });
  const streams = summariseStreams(uneven.samples(startMs, 60), [uneven.participant()], minute);
  expect(streams.map(({ stream, values }) => [stream, values.bitrateKbps])).toEqual([
    ['1b', 400],
    ['1c', 600],
  ]);
  const alone = baselineOf(uneven.samples(startMs, 60), [uneven.participant()], minute);
  expect(Object.keys(alone.streams)).toEqual(['viewer/receive/video']);
  expect(alone.streams['viewer/receive/video']?.bitrateKbps).toBe(500);
});

test('the streams of one participant are told apart in words by their ids', () => {
  const participant = hears('1a').participant();
  const leg: Leg = { id: '1a', sends: [], receives: ['video'] };
  const phrase = (stream: string) =>
    streamPhrase({ participant, leg, direction: 'receive', kind: 'video', from: { participant: '1b' }, stream });
  expect([phrase('1b'), phrase('screen')]).toEqual(['received video from 1b', 'received video from 1b (screen)']);
});
