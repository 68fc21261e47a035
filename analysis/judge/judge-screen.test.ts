import { expect, test } from '@playwright/test';
import { baselineOf } from '../../tests/builders/baseline-of.js';
import { aProbe, type ProbeBuilder } from '../../tests/builders/probe-builder.js';
import { aTrial, startMs, withProbes } from '../../tests/builders/trial-builder.js';
import { judge } from './judge.js';

/** Calls in which the callee shows slides and no camera. */
const slides = { fps: 5, kbps: 120 } as const;
const seeing = (id: string, seen: Parameters<ProbeBuilder['receivesVideo']>[0] = slides) =>
  aProbe(id).seesScreen().receivesVideo(seen);
const showing = (id: string, sent: Parameters<ProbeBuilder['sendsVideo']>[0] = { ...slides, sourceFps: 5 }) =>
  aProbe(id).sharesScreen().sendsVideo(sent);
const calls = (count: number): ProbeBuilder[] =>
  Array.from({ length: count }, (_, index) => [seeing(`${index + 1}a`), showing(`${index + 1}b`)]).flat();

const known = baselineOf(
  calls(1).flatMap((probe) => probe.samples(startMs, 60)),
  calls(1).map((probe) => probe.participant()),
  { startMs, endMs: startMs + 60_000 },
);
const judged = (...changed: readonly ProbeBuilder[]) =>
  judge(aTrial(withProbes(calls(3), ...changed), { baseline: known }));
const told = ({ reasons }: ReturnType<typeof judge>) => reasons.map(({ code, probe }) => [code, probe]);

test('slides at 5 fps are no starved picture, before a baseline and after it, and their screen is no short camera', () => {
  expect(judged()).toMatchObject({ kind: 'stable', reasons: [] });
  expect(judge(aTrial(calls(1), { baseline: null }))).toMatchObject({ kind: 'stable', reasons: [] });
});

test('slides that come unevenly, because their encoder leaves frames out, are fine, and a camera is not', () => {
  const uneven = (fps: number) => ({
    between: () => Array.from({ length: fps }, (_, nth) => (nth % 2 ? 1500 : 500) / fps),
  });
  expect(judged(seeing('2a', { ...slides, ...uneven(5) }))).toMatchObject({ kind: 'stable', reasons: [] });
  expect(told(judged(showing('2b').receivesVideo(uneven(8))))).toContainEqual(['stutter', '2b']);
});

test('a camera at 5 fps beside them is starved', () => {
  expect(told(judged(showing('2b').receivesVideo(slides)))).toContainEqual(['low-frame-rate', '2b']);
});

test('a screen of which every second frame is left out is named', () => {
  expect(told(judged(seeing('3a', { ...slides, fps: 2.5 })))).toEqual([['low-frame-rate', '3a']]);
});

test('a probe that cannot draw its slides spoils the trial, and says so of a screen', () => {
  const { kind, reasons } = judged(showing('1b', { ...slides, sourceFps: 2 }));
  expect(kind).toBe('void');
  expect(reasons[0]).toMatchObject({ code: 'camera-short', probe: '1b' });
  expect(reasons[0]?.text).toContain('The screen of 1b gave 2 of 5 fps');
});

test('a screen has a baseline of its own beside cameras', () => {
  expect(
    Object.keys(known.streams)
      .filter((key) => key.includes('video'))
      .sort(),
  ).toEqual(['callee/receive/video', 'callee/send/video:screen', 'caller/receive/video:screen', 'caller/send/video']);
});
