import { expect, test } from '@playwright/test';
import type { Reason } from '../../model/verdict.js';
import { aProbe, type ProbeBuilder } from '../../tests/builders/probe-builder.js';
import { aTrial, calls, withProbes } from '../../tests/builders/trial-builder.js';
import { times } from '../../tests/effort.js';
import { randomFrom } from '../../tests/random.js';
import { judge } from './judge.js';

const judged = (probe: ProbeBuilder, options: Parameters<typeof aTrial>[1] = {}) =>
  judge(aTrial(withProbes(calls(2), probe), options));
const codes = (probe: ProbeBuilder) => [...new Set(judged(probe).reasons.map(({ code }) => code))];
const inTenth = (second: number) => (second % 10 === 3 ? 2500 : 20);
const speaks = (level: number) => aProbe('1a').receivesAudio({ level });

test('what a participant sees and hears although everything arrives makes a trial unstable, by its name', () => {
  expect(codes(aProbe('1a').receivesVideo({ jitterBufferMs: 3000 }))).toEqual(['jitter-buffer']);
  expect(codes(aProbe('1a').receivesVideo({ width: 160 }))).toEqual(['narrow-picture']);
  expect(codes(speaks(0))).toEqual(['silent-sound']);
  expect(codes(aProbe('1a').isRead({ rttMs: inTenth }))).toEqual(['round-trip-peaks']);
  expect(codes(aProbe('1a').sendsVideo({ rttMs: inTenth }))).toEqual(['round-trip-peaks']);
  const texts = [aProbe('1a').receivesVideo({ width: 160 }), aProbe('1a').isRead({ rttMs: inTenth }), speaks(0)].map(
    (probe) => judged(probe).reasons[0]?.text,
  );
  expect(texts).toEqual([
    "1a received video from 1b 160 px wide, 25 % of the baseline's 640 (limit 75 %).",
    '1a had a round trip of 2500 ms in a twentieth of the time (limit 800 ms).',
    '1a received audio from 1b at a level of 0 (limit 0.001).',
  ]);
});

test('what is not known of a stream is not judged: stored runs, native probes, streams without a baseline', () => {
  const unknown = aProbe('1a')
    .receivesVideo({ width: null, jitterBufferMs: null })
    .isRead({ rttMs: () => 20 });
  expect(judged(unknown).kind).toBe('stable');
  expect(judged(aProbe('1a').receivesVideo({ width: 160 }), { baseline: null }).reasons).toEqual([]);
});

test('before there is a baseline, pictures are held against the width of those that were sent', () => {
  const sent = { width: 640 };
  const seen = (width: number, far: Parameters<ReturnType<typeof aProbe>['sendsVideo']>[0] = sent) => {
    const probes = withProbes(calls(2), aProbe('1a').receivesVideo({ width }), aProbe('1b').sendsVideo(far));
    return judge(aTrial(probes, { baseline: null }));
  };
  expect(seen(320).reasons.map(({ code, text }) => [code, text])).toEqual([
    ['narrow-picture', '1a received video from 1b 320 px wide, 50 % of the 640 that were sent (limit 75 %).'],
  ]);
  expect(seen(480).kind).toBe('stable');
  // An encoder that was held back may have sent smaller ones meanwhile.
  expect(seen(320, { ...sent, limitedBy: (second) => (second < 9 ? 'bandwidth' : 'none') }).kind).toBe('stable');
});

test('a stored run has the limits of its day: one that came later is not judged', () => {
  const bad = aProbe('1a').receivesVideo({ width: 160, jitterBufferMs: 3000 }).isRead({ rttMs: inTenth });
  const trial = aTrial(withProbes(calls(2), bad));
  const {
    widthPercentOfBaselineMin: _,
    jitterBufferMsMax: __,
    rttP95MsMax: ___,
    audioLevelMin: ____,
    ...of
  } = trial.thresholds;
  const { kind, thresholds } = judge({ ...trial, thresholds: of as typeof trial.thresholds });
  expect([kind, thresholds.map(({ code }) => code).includes('jitter-buffer')]).toEqual(['stable', false]);
});

test('frames that come four at once with a gap of 150 ms behind them stutter; even ones, and a single freeze, do not', () => {
  const fours = Array.from({ length: 28 }, (_, nth) => (nth % 4 === 0 ? 150 : 0));
  const bunched = aProbe('1a').receivesVideo({ fps: 28, between: () => fours });
  const { reasons } = judged(bunched);
  expect(reasons.map(({ text }) => text)).toEqual([
    '1a received video from 1b whose frames came unevenly, 65 ms off their mean distance (limit 50 ms).',
  ]);
  const random = randomFrom(5);
  const even = aProbe('1a').receivesVideo({
    between: () => Array.from({ length: 30 }, () => 33 + 30 * (random() - 0.5)),
  });
  expect(judged(even).kind).toBe('stable');
  const frozen = (second: number) => second === 5;
  const once = aProbe('1a').receivesVideo({
    freezeMs: (second) => (frozen(second) ? 1100 : 0),
    between: (second) => [...Array.from({ length: 29 }, () => 33), frozen(second) ? 1100 : 33],
  });
  expect(judged(once, { seconds: 12 }).kind).toBe('stable');
});

test('who is muted, leaves silence out or is in a mix is not silent by this limit', () => {
  expect(codes(aProbe('1a').receivesAudio({ kbps: 1, level: 0 }))).toEqual(['low-bitrate']);
  const { reasons } = judged(aProbe('1a').hearsTheMix().receivesAudio({ level: 0 }));
  expect(reasons.map(({ code }) => code)).toEqual(['no-media']);
});

test('a single report of few is no twentieth of the time', () => {
  const once = (second: number) => (second === 30 ? 2500 : 20);
  const rare = aProbe('1a').sendsVideo({ rttMs: once, reportSeconds: 6 });
  expect(judged(rare).kind).toBe('stable');
});

/** Each with a strength from 0 to 1, and the strength from which on it must be found. */
const faults: readonly (readonly [Reason['code'], number, (strength: number, random: () => number) => ProbeBuilder])[] =
  [
    [
      'jitter-buffer',
      0.35,
      (strength, random) => aProbe('1a').receivesVideo({ jitterBufferMs: () => 30 + 60 * random() + 1500 * strength }),
    ],
    [
      'narrow-picture',
      0.35,
      (strength) => aProbe('1a').receivesVideo({ width: Math.round(640 * (1 - 0.75 * strength)) }),
    ],
    [
      'silent-sound',
      0.999,
      (strength, random) => aProbe('1a').receivesAudio({ level: () => (1 - strength) * 0.6 * random() }),
    ],
    [
      'stutter',
      0.85,
      (strength, random) =>
        aProbe('1a').receivesVideo({
          fps: 28,
          // Four frames nearer and nearer together, with what that leaves of the 150 ms behind them; a camera is never
          // quite even.
          between: () => {
            const [together, behind] = [37.5 * (1 - strength), 37.5 + 112.5 * strength];
            return Array.from({ length: 28 }, (_, nth) => (nth % 4 === 0 ? behind : together) + 4 * (random() - 0.5));
          },
        }),
    ],
    [
      'round-trip-peaks',
      0.3,
      (strength, random) =>
        aProbe('1a').isRead({ rttMs: () => (random() < 0.5 * strength ? 1000 : 20 + 30 * random()) }),
    ],
  ];

for (const [code, found, fault] of faults) {
  test(`${code}: from a strength of ${found} on it is found, and never without the fault, whatever the noise`, () => {
    const seeds = times(20, 300);
    let missed = 0;
    for (let seed = 1; seed <= seeds; seed += 1) {
      const random = randomFrom(seed);
      const strength = found + (1 - found) * random();
      expect(codes(fault(0, random)), `seed ${seed}`).not.toContain(code);
      if (!codes(fault(strength, random)).includes(code)) missed += 1;
    }
    expect(missed).toBeLessThanOrEqual(seeds / 100);
  });
}
