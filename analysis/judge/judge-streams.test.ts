import { expect, test } from '@playwright/test';
import type { Leg } from '../../model/scenario.js';
import { baselineOf } from '../../tests/builders/baseline-of.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { aTrial, calls, startMs, withProbes } from '../../tests/builders/trial-builder.js';
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

test('a stream that never came is missed, also on a connection that told of a round trip that cannot be', () => {
  const trial = aTrial(withProbes(calls(1), aProbe('1a').lacks('receive', 'video')));
  const samples = trial.samples.map((sample) => ({
    ...sample,
    legs: sample.legs.map((leg) => ({ ...leg, roundTripsDropped: 1 })),
  }));
  const { kind, reasons } = judge({ ...trial, samples });
  expect([kind, ...reasons.map(({ code }) => code)]).toEqual(['unstable', 'no-media']);
});

test('each stream has aggregates of its own under its id, and streams that are alike share a baseline', () => {
  const uneven = hears('1a').receivesVideoFrom('1b', { kbps: 460 }).receivesVideoFrom('1c', { kbps: 540 });
  const streams = summariseStreams(uneven.samples(startMs, 60), [uneven.participant()], minute);
  expect(streams.map(({ stream, values }) => [stream, values.bitrateKbps])).toEqual([
    ['1b', 460],
    ['1c', 540],
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

const hearsMix = (level?: number) =>
  aProbe('1a')
    .inRole('member')
    .sendsAudio()
    .receivesAudio(level === undefined ? {} : { level })
    .hearsTheMix()
    .without('send', 'video')
    .without('receive', 'video');

test('a mixed sound that comes at its full rate with nobody in it has not arrived; how loud it is else is not judged', () => {
  const mixed = baselineOf(hearsMix(0.4).samples(startMs, 60), [hearsMix().participant()], minute);
  const reasonsAt = (level?: number) =>
    judge(aTrial([hearsMix(level)], { baseline: mixed })).reasons.map(({ code, text }) => [code, text]);
  const silent = [['no-media', '1a received audio of the mix at 40 kbit/s but nobody’s voice in it in 60 s.']];
  expect(reasonsAt(0)).toEqual(silent);
  expect(reasonsAt(0.0009)).toEqual(silent);
  for (const level of [0.002, 0.4, undefined]) expect(reasonsAt(level)).toEqual([]);
});

test('a voice that one participant alone sends to another may be silent', () => {
  const heard = aProbe('1a').receivesAudio({ level: 0 });
  const baselineOfOne = baselineOf(heard.samples(startMs, 60), [heard.participant()], minute);
  expect(judge(aTrial([heard], { baseline: baselineOfOne })).reasons.map(({ code }) => code)).not.toContain('no-media');
});
