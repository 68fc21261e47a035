import { expect, test } from '@playwright/test';
import { baselineOf } from '../../tests/builders/baseline-of.js';
import { aProbe, type ProbeBuilder } from '../../tests/builders/probe-builder.js';
import { aTrial, startMs, withProbes } from '../../tests/builders/trial-builder.js';
import { summariseStreams } from '../measure/window.js';
import { judge } from './judge.js';

/** As a mute person's sound is with DTX: a few small packets a second, some lost, no level, large jitter of few. */
const silence = { kbps: 0.6, jitterMs: 60, lossPercent: 4, level: 0 } as const;
const hearing = (id: string, heard: Parameters<ProbeBuilder['receivesAudio']>[0]) =>
  aProbe(id).hearsWhoIsMute().receivesAudio(heard);
/** Calls whose callee is mute. */
const mutedCalls = (count: number): ProbeBuilder[] =>
  Array.from({ length: count }, (_, index) => [
    hearing(`${index + 1}a`, silence),
    aProbe(`${index + 1}b`)
      .isMute()
      .sendsAudio({ kbps: 0.6, lossPercent: 4 }),
  ]).flat();

const baseline = (probes: readonly ProbeBuilder[]) =>
  baselineOf(
    probes.flatMap((probe) => probe.samples(startMs, 60)),
    probes.map((probe) => probe.participant()),
    { startMs, endMs: startMs + 60_000 },
  );
const judged = (...changed: readonly ProbeBuilder[]) => {
  const known = baseline(mutedCalls(1));
  return judge(aTrial(withProbes(mutedCalls(3), ...changed), { baseline: known }));
};
const told = ({ reasons }: ReturnType<typeof judge>) =>
  reasons.map(({ code, probe, stream }) => [code, probe, stream?.kind]);

test('silence of who is mute is no missing sound, no loss, no jitter and no gap', () => {
  expect(judged()).toMatchObject({ kind: 'stable', reasons: [] });
  expect(judge(aTrial(mutedCalls(1), { baseline: null }))).toMatchObject({ kind: 'stable', reasons: [] });
});

test('the sound of who is mute that never comes is named, and so is one of which most is left out', () => {
  expect(told(judged(hearing('2a', { ...silence, kbps: 0, lossPercent: 0 })))).toEqual([['no-media', '2a', 'audio']]);
  expect(told(judged(aProbe('2a').hearsWhoIsMute().lacks('receive', 'audio')))[0]?.[0]).toBe('no-media');
  expect(told(judged(hearing('2a', { ...silence, kbps: 0.3 })))).toEqual([['low-bitrate', '2a', 'audio']]);
});

test('whoever speaks is judged as ever beside those who are mute', () => {
  const worse = { ...silence, kbps: 40, level: 0.2 } as const;
  const codes = told(judged(aProbe('2b').isMute().sendsAudio({ kbps: 0.6 }).receivesAudio(worse)));
  expect(codes.map(([code]) => code)).toEqual(expect.arrayContaining(['audio-loss', 'jitter']));
  expect(codes.every(([, probe]) => probe === '2b')).toBe(true);
});

test('of silence no opinion is told: among those of speech it would be taken for one', () => {
  const probes = mutedCalls(1);
  const streams = summariseStreams(
    probes.flatMap((probe) => probe.samples(startMs, 60)),
    probes.map((probe) => probe.participant()),
    { startMs, endMs: startMs + 60_000 },
  );
  const heard = streams.filter(({ direction, kind }) => direction === 'receive' && kind === 'audio');
  expect(heard.map(({ probe, values }) => [probe, values.mos !== undefined])).toEqual([
    ['1a', false],
    ['1b', true],
  ]);
});

test('sounds have a baseline for each state of their source', () => {
  const { streams } = baseline(mutedCalls(1));
  expect(
    Object.keys(streams)
      .filter((key) => key.includes('audio'))
      .sort(),
  ).toEqual(['callee/receive/audio', 'callee/send/audio:muted', 'caller/receive/audio:muted', 'caller/send/audio']);
  expect(streams['caller/receive/audio:muted']?.bitrateKbps).toBeCloseTo(0.6);
});
