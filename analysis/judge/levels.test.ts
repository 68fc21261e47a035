import { expect, test } from '@playwright/test';
import { aProbe, type ProbeBuilder } from '../../tests/builders/probe-builder.js';
import { aTrial, calls, withProbes } from '../../tests/builders/trial-builder.js';
import { judge } from './judge.js';
import { levelOfValues } from './levels.js';

const trialWith = (probe: ProbeBuilder) => ({ ...aTrial(withProbes(calls(2), probe)), steers: true });

/** The levels that are not the best, by the label of their limit. */
function levelsWith(probe: ProbeBuilder) {
  const { kind, thresholds } = judge(trialWith(probe));
  expect(kind).toBe('stable');
  const said = thresholds.flatMap(({ label, level }) => (level === undefined ? [] : [[label, level] as const]));
  return Object.fromEntries(said.filter(([, level]) => level !== 'bold'));
}

/** One value in the first so many seconds, another one after. */
const first = (seconds: number, value: number, then: number) => (second: number) => (second < seconds ? value : then);

test('every limit that has seconds has a level, and times to join have none', () => {
  const { thresholds } = judge({ ...aTrial(calls(1)), steers: true });
  const without = thresholds.filter(({ level }) => level === undefined).map(({ code }) => code);
  expect(without).toEqual(['join-late', 'first-frame-late']);
  expect(new Set(thresholds.map(({ level }) => level))).toEqual(new Set([undefined, 'bold']));
});

test('a tenth of the seconds beyond a limit calls for backing off, though the mean is far from it', () => {
  expect(levelsWith(aProbe('1a').receivesAudio({ jitterMs: first(10, 40, 2) }))).toEqual({
    'audio jitter, mean': 'back-off',
  });
  expect(levelsWith(aProbe('1a').receivesAudio({ jitterMs: first(10, 28, 2) }))).toEqual({
    'audio jitter, mean': 'cautious',
  });
});

test('one freeze calls for no more caution in a short window than in a minute, freezing again and again does', () => {
  const levels = (seconds: number, freezes: readonly number[]) => {
    const freezeMs = (second: number) => (freezes.includes(second) ? 240 : 0);
    const probes = withProbes(calls(2), aProbe('1a').receivesVideo({ freezeMs }));
    const { kind, thresholds } = judge({ ...aTrial(probes, { seconds }), steers: true });
    return [kind, thresholds.find(({ code }) => code === 'frozen')?.level];
  };
  for (const seconds of [12, 60]) {
    expect(levels(seconds, [5])).toEqual(['stable', 'bold']);
    expect(levels(seconds, [5, 6])).toEqual(['stable', seconds === 12 ? 'back-off' : 'bold']);
  }
  expect(levels(60, [5, 6, 25, 26])).toEqual(['stable', 'back-off']);
});

test('what fewer than a tenth of the seconds reach does not count', () => {
  expect(levelsWith(aProbe('1a').receivesAudio({ jitterMs: first(3, 40, 2) }))).toEqual({});
});

test('a limit from below is steered by the seconds that fall short of it', () => {
  const short = levelsWith(aProbe('2b').receivesVideo({ fps: first(10, 23, 30) }));
  expect(short).toEqual({ 'frame rate as share of baseline': 'back-off' });
});

test('the worst stream of all is what counts, however many are well', () => {
  const one = levelsWith(aProbe('2b').isRead({ rttMs: first(20, 280, 20) }));
  expect(one).toEqual({ 'round trip, mean': 'cautious' });
});

test('the seconds are those of stable trials alone, and of runs that steer by them', () => {
  const bad = judge(trialWith(aProbe('1a').receivesAudio({ jitterMs: 90 })));
  expect(bad.kind).toBe('unstable');
  const calm = judge(aTrial(calls(2)));
  for (const { level } of [...bad.thresholds, ...calm.thresholds]) expect(level).toBeUndefined();
});

test('apart from the levels a verdict is the same, to the byte', () => {
  const trial = trialWith(aProbe('1a').receivesAudio({ jitterMs: first(10, 40, 2) }));
  const { thresholds, ...steered } = judge(trial);
  const plain = thresholds.map(({ level: _, ...result }) => result);
  expect(JSON.stringify({ ...steered, thresholds: plain })).toBe(
    JSON.stringify({ ...steered, thresholds: judge({ ...trial, steers: false }).thresholds }),
  );
});

test('without a value, and beyond the limit, the level is the worst; a limit of nothing is kept or crossed', () => {
  const percent = (limit: number) => ({ limit, comparison: 'at-most', unit: '%' }) as const;
  expect(levelOfValues([], percent(1))).toBe('back-off');
  expect(levelOfValues([1.01], percent(1))).toBe('back-off');
  expect(levelOfValues([0], percent(0))).toBe('bold');
  expect(levelOfValues([0.1], percent(0))).toBe('back-off');
  expect(levelOfValues([100], { limit: 100, comparison: 'at-least', unit: '%' })).toBe('cautious');
});

test('with reports every few seconds, the loss on the way up is read from the seconds that one has come in', () => {
  const every = (reportSeconds: number) => levelsWith(aProbe('1a').sendsVideo({ reportSeconds, lossPercent: 0.85 }));
  for (const seconds of [1, 4, 7]) expect(every(seconds)).toEqual({ 'video loss after resending, mean': 'moderate' });
});
