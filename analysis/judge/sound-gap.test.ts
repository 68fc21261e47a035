import { expect, test } from '@playwright/test';
import { seededRandom } from '../../model/seeded-random.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import type { ReceivedAudio } from '../../tests/builders/streams.js';
import { aTrial, calls, type TrialOptions, withProbes } from '../../tests/builders/trial-builder.js';
import { meanOpinionScore } from '../measure/mos.js';
import { judge } from './judge.js';

const ids = calls(6).map(({ id }) => id);
/** What a listener's player counts in each second: a hole of so long from then on, and nothing else. */
function holeOf(ms: number, fromMs: number): ReceivedAudio {
  const inSecond = (second: number) =>
    Math.max(0, Math.min(fromMs + ms, (second + 1) * 1000) - Math.max(fromMs, second * 1000));
  return {
    concealedPercent: (second) => inSecond(second) / 10,
    concealmentEvents: (second) => (Math.floor(fromMs / 1000) === second && ms > 0 ? 1 : 0),
  };
}
const heardBy = (probes: readonly string[], audio: ReceivedAudio, options: TrialOptions = {}) =>
  aTrial(withProbes(calls(6), ...probes.map((id) => aProbe(id).receivesAudio(audio))), options);
const judged = (trial: ReturnType<typeof heardBy>) => {
  const verdict = judge(trial);
  return { kind: verdict.kind, codes: [...new Set(verdict.reasons.map(({ code }) => code))], verdict };
};

test('eight of twelve who hear nothing for 12 of 60 s make a trial unstable, with a browser or without', () => {
  const silent = heardBy(ids.slice(0, 8), { kbps: (second) => (second >= 20 && second < 32 ? 0 : 50) });
  const native = {
    ...silent,
    samples: silent.samples.map((sample) => ({
      ...sample,
      streams: sample.streams.map((stream) => ({
        ...stream,
        metrics: Object.fromEntries(
          Object.entries(stream.metrics).filter(
            ([name]) => !/concealed|totalSamples|jitterBuffer|audioLevel/i.test(name) || stream.direction === 'send',
          ),
        ),
      })),
    })),
    probes: silent.probes.map((probe) => ({ ...probe, native: true as const })),
  };
  const { kind, codes, verdict } = judged(native);
  expect([kind, codes]).toEqual(['unstable', ['sound-gap']]);
  expect(verdict.reasons[0]?.text).toContain('with nothing to hear for 12000 ms at a stretch (limit 1000 ms).');
});

test('a hole of 1.9 s a minute at every listener is unstable, by its length and by a MOS of 3.17', () => {
  const { kind, codes, verdict } = judged(heardBy(ids, { ...holeOf(1900, 20_400), jitterBufferMs: 60 }));
  expect([kind, codes.sort()]).toEqual(['unstable', ['audio-quality', 'sound-gap']]);
  expect(verdict.thresholds.find(({ code }) => code === 'sound-gap')?.worst).toBeCloseTo(1900, 0);
  // Loss by chance of as much: 3.5. By G.107: 95 · 3.17 / (3.17 / BurstR + 10).
  expect(meanOpinionScore(90, 3.17)).toBeGreaterThan(3.5);
  expect(meanOpinionScore(90, 3.17, 92)).toBeCloseTo(3.17, 1);
});

test('a trial whose players do not say how often they made sound up is judged by its packets, and its MOS is as it was', () => {
  const { verdict, kind } = judged(heardBy(ids, { concealedPercent: 1 }));
  expect(kind).toBe('stable');
  expect(verdict.thresholds.find(({ code }) => code === 'sound-gap')).toMatchObject({ worst: 0, passed: true });
});

test('a sender that pauses is no gap: its comfort noise is not made up, though few packets come', () => {
  const pausing = { kbps: (second: number) => (second % 10 < 5 ? 40 : 1), concealedPercent: 0, concealmentEvents: 0 };
  expect(judged(heardBy(['1a'], pausing)).codes).not.toContain('sound-gap');
});

test('a hole is found from a second and a bit on, wherever it begins, and none where there is none', () => {
  const wrong: string[] = [];
  for (let seed = 0; seed < 60; seed += 1) {
    const random = seededRandom(seed);
    const strength = (seed % 6) / 5;
    const fromMs = Math.floor(3000 + 50_000 * random());
    const { codes } = judged(heardBy(['2b'], holeOf(3000 * strength, fromMs)));
    const isFound = codes.includes('sound-gap');
    if (isFound !== strength > 0.34) wrong.push(`seed ${seed}: ${strength} from ${fromMs}`);
  }
  expect(wrong).toEqual([]);
});

test('losses that come by chance are no gap, and a limit of the plan takes the place of the named one', () => {
  const random = seededRandom(3);
  const counts = Array.from({ length: 200 }, () => Math.floor(4 * random()));
  const losing: ReceivedAudio = {
    concealedPercent: (second) => 2 * (counts[second] ?? 0),
    concealmentEvents: (second) => counts[second] ?? 0,
  };
  const worst = judged(heardBy(ids, losing)).verdict.thresholds.find(({ code }) => code === 'sound-gap')?.worst ?? 0;
  expect(worst).toBeLessThan(200);
});
