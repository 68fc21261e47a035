import { expect, test } from '@playwright/test';
import type { Sample } from '../../model/sample.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { aTrial, calls, startMs, withProbes } from '../../tests/builders/trial-builder.js';
import { times } from '../../tests/effort.js';
import { randomFrom } from '../../tests/random.js';
import { judge } from '../judge/judge.js';
import { summariseStreams } from './window.js';

type Known = Partial<Record<'framesDecoded' | 'interFrameMs', number>>;

/** The video that 1a receives begins anew in these seconds; what of it is `known` all the same. */
function restartedIn(samples: readonly Sample[], isChange: (second: number) => boolean, known: Known = {}): Sample[] {
  return samples.map((sample) => {
    if (sample.probe !== '1a' || !isChange((sample.atMs - startMs) / 1000 - 1)) return sample;
    const metrics = { frameWidth: 640, ...known };
    const streams = sample.streams.map((one) =>
      one.direction === 'receive' && one.kind === 'video' ? { ...one, metrics, restarted: true as const } : one,
    );
    return { ...sample, streams };
  });
}

/** The picture stands still from some time of the second before the change to some time of the one after. */
function frozenMs(before: number, after: number, known: number | Known = {}): number | undefined {
  const probe = aProbe('1a').receivesVideo({ fps: (second) => (second === 29 ? before : second === 31 ? after : 30) });
  const ofChange = typeof known === 'number' ? { framesDecoded: known } : known;
  const samples = restartedIn(probe.samples(startMs, 60), (second) => second === 30, ofChange);
  const streams = summariseStreams(samples, [probe.participant()], { startMs, endMs: startMs + 60_000 });
  return streams.find(({ direction, kind }) => direction === 'receive' && kind === 'video')?.values.frozenMs;
}

test('1.9 s without a picture across a change of SSRC are frozen time, wherever the change lies in them', () => {
  expect(frozenMs(3, 30)).toBeCloseTo(1900, 6);
  expect(frozenMs(15, 18)).toBeCloseTo(1890, 0);
  expect(frozenMs(30, 3)).toBeCloseTo(1900, 6);
  expect(frozenMs(3, 30, 0)).toBeCloseTo(1900, 6);
  expect(frozenMs(16, 30, 4)).toBeCloseTo(1333, -1);
  expect(frozenMs(30, 30)).toBe(0);
  expect(frozenMs(30, 30, 30)).toBe(0);
  expect(frozenMs(28, 29, 29)).toBe(0);
});

test('of a change whose frames are not known no more counts than what the new SSRC was not shown for', () => {
  expect(frozenMs(3, 30, { interFrameMs: 900 })).toBeCloseTo(1000, 6);
  expect(frozenMs(30, 30, { interFrameMs: 400 })).toBe(0);
});

test('such a gap makes a trial unstable', () => {
  const trial = aTrial(withProbes(calls(2), aProbe('1a').receivesVideo({ fps: (second) => (second === 29 ? 3 : 30) })));
  const { kind, reasons } = judge({ ...trial, samples: restartedIn(trial.samples, (second) => second === 30) });
  expect([kind, ...reasons.map(({ code }) => code)]).toEqual(['unstable', 'frozen']);
});

test('a stream that begins anew in nine of ten seconds is not judged by the tenth, and one change says nothing', () => {
  const trial = aTrial(calls(2));
  const often = judge({ ...trial, samples: restartedIn(trial.samples, (second) => second % 10 !== 0) });
  expect(often.kind).toBe('void');
  expect(often.reasons.map(({ text }) => text)).toContain(
    '1a received video from 1b that began anew in 54 seconds, 90 % of the time (limit 5 %): too little is known of it.',
  );
  const short = aTrial(calls(2), { seconds: 12 });
  expect(judge({ ...short, samples: restartedIn(short.samples, (second) => second === 5) }).kind).toBe('stable');
});

test('a gap across a change is found from 0.3 s on, and none without one, whatever the noise of frame rates', () => {
  for (let seed = 1; seed <= times(100, 2000); seed += 1) {
    const random = randomFrom(seed);
    const isKnown = random() < 0.5;
    const gapMs = 300 + 1600 * random();
    const noise = () => Math.round(3 * random() - 1.5);
    const begins = random();
    const inFirst = Math.min(gapMs, 1000 * (1 - begins));
    const inChange = Math.min(1000, gapMs - inFirst);
    const framesIn = (lackedMs: number) =>
      lackedMs >= 1000 ? 0 : Math.max(0, Math.round(30 * (1 - lackedMs / 1000)) + noise());
    const known = (lackedMs: number) => (isKnown ? framesIn(lackedMs) : undefined);
    expect(frozenMs(30 + noise(), 30 + noise(), known(0)), `seed ${seed}`).toBe(0);
    const inNext = gapMs - inFirst - inChange;
    const found = frozenMs(framesIn(inFirst), framesIn(inNext), known(inChange)) ?? 0;
    // Where the change is not known, what lies in it alone is not seen.
    const isSeen = isKnown || Math.max(inFirst, inNext) >= 300;
    if (isSeen) expect(found, `seed ${seed}: ${gapMs} ms`).toBeGreaterThan(isKnown ? gapMs - 650 : 0);
  }
});
