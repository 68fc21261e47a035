import { expect, test } from '@playwright/test';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { aTrial, calls, healthyBaseline, withProbes } from '../../tests/builders/trial-builder.js';
import { both, times } from '../../tests/effort.js';
import { randomFrom } from '../../tests/random.js';
import { judge } from './judge.js';

const silent = { lossPercent: null, rttMs: null } as const;
const unreported = aProbe('1a').sendsVideo(silent).sendsAudio(silent);
const trialOf = (probe = unreported, changes = {}) => aTrial(withProbes(calls(1), probe), changes);

test('a server that reported in the baseline and reports nothing in the trial is no server without loss', () => {
  const { kind, reasons, thresholds } = judge(trialOf());
  expect(kind).toBe('void');
  expect(reasons.map(({ code, text }) => [code, text])).toContainEqual([
    'samples-missing',
    '"video loss after resending, mean" could not be measured for the stream that 1a sent video: the server reported nothing of it in the last 60 s, although it does in the baseline.',
  ]);
  expect(thresholds.find(({ code }) => code === 'video-loss')).toMatchObject({ worst: null, passed: false });
});

test('a server that reports nothing in the baseline either is judged by what there is', () => {
  const { streams } = healthyBaseline();
  const bare = Object.fromEntries(
    Object.entries(streams).map(([key, { lossPercent: _, worstLossPercent5s: __, ...entry }]) => [key, entry]),
  );
  expect(judge(trialOf(unreported, { baseline: { streams: bare } })).kind).toBe('stable');
});

test('reports that end after a while say nothing of the rest, but what they said has failed by itself', () => {
  const until = (end: number, percent: number) => (second: number) => (second < end ? percent : null);
  const ending = (end: number, percent: number) =>
    trialOf(aProbe('1a').sendsVideo({ lossPercent: until(end, percent), rttMs: until(end, 20) }));
  expect(judge(ending(40, 0)).kind).toBe('void');
  expect(judge(ending(40, 9)).kind).toBe('unstable');
  expect(judge(ending(50, 0)).kind).toBe('stable');
});

test('a short window gives the reports a fair chance: one of 10 s without any is unmeasured, one of 8 s is not', () => {
  expect(judge(trialOf(unreported, { seconds: 10 })).kind).toBe('void');
  expect(judge(trialOf(unreported, { seconds: 8 })).kind).toBe('stable');
});

test(
  'reports that end are found from 17 s on, and reports as rare as the standard allows are never called ended',
  both,
  () => {
    const random = randomFrom(62);
    let [wrong, missed] = [0, 0];
    for (let round = 0; round < times(20, 200); round += 1) {
      const reportSeconds = 1 + Math.floor(7 * random());
      const seconds = 30 + Math.floor(40 * random());
      const video = (end: number) => {
        const known = (value: number) => (second: number) => (second < end ? value : null);
        return trialOf(aProbe('1a').sendsVideo({ reportSeconds, lossPercent: known(0), rttMs: known(20) }), {
          seconds,
        });
      };
      if (judge(video(seconds)).kind !== 'stable') wrong += 1;
      const strength = random();
      const quietSeconds = strength * seconds;
      if (quietSeconds >= 17 && judge(video(seconds - quietSeconds)).kind !== 'void') missed += 1;
    }
    expect([wrong, missed]).toEqual([0, 0]);
  },
);
