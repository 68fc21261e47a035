import { expect, test } from '@playwright/test';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { aTrial, calls, startMs, withProbes } from '../../tests/builders/trial-builder.js';
import { randomFrom } from '../../tests/random.js';
import { judge } from '../judge/judge.js';
import { FrozenFold, judgedFrozen } from './frozen.js';
import { summariseStreams } from './window.js';

const limitPercent = 2;
const minuteMs = 60_000;

interface Picture {
  readonly fps?: (second: number) => number;
  readonly freezeMs?: (second: number) => number;
  readonly freezes?: (second: number) => number | null;
  readonly between?: (second: number) => readonly number[];
}

function valuesOf(picture: Picture, seconds = 60) {
  const probe = aProbe('1a').receivesVideo(picture);
  const window = { startMs, endMs: startMs + seconds * 1000 };
  const streams = summariseStreams(probe.samples(startMs, seconds), [probe.participant()], window);
  return streams.find(({ direction, kind }) => direction === 'receive' && kind === 'video')?.values ?? {};
}

const frozenRow = (picture: Picture, seconds: number) => {
  const { kind, reasons, thresholds } = judge(
    aTrial(withProbes(calls(2), aProbe('1a').receivesVideo(picture)), { seconds }),
  );
  return { kind, texts: reasons.map(({ text }) => text), row: thresholds.find(({ code }) => code === 'frozen') };
};

const inSecond = (second: number, ms: number) => (other: number) => (other === second ? ms : 0);

test('the longest freeze counts from the start of the window, and as one through the seconds in which it goes on', () => {
  expect(valuesOf({ freezeMs: inSecond(2, 9000) })).toMatchObject({ frozenMs: 3000, longestFreezeMs: 3000 });
  const still = (second: number) => (second >= 20 && second < 23 ? 0 : 30);
  expect(valuesOf({ fps: still, freezeMs: inSecond(23, 3600) })).toMatchObject({
    frozenMs: 3600,
    longestFreezeMs: 3600,
  });
  expect(valuesOf({ fps: (second) => (second >= 48 ? 0 : 30) })).toMatchObject({ longestFreezeMs: 12_000 });
  const two = (second: number) => (second === 9 ? 300 : second === 30 ? 900 : 0);
  expect(valuesOf({ freezeMs: two })).toMatchObject({ frozenMs: 1200, longestFreezeMs: 900 });
});

/** The picture comes back 1.0 s after the window began, in the first second within it; readings end at +900 ms. */
function acrossStart(freezeMs: number, times: Picture = {}) {
  const probe = aProbe('1a').receivesVideo({
    ...times,
    fps: (second) => (second === 1 ? 27 : 30),
    freezeMs: inSecond(1, freezeMs),
  });
  const window = { startMs, endMs: startMs + minuteMs };
  const streams = summariseStreams(probe.samples(startMs - 100, 61), [probe.participant()], window);
  return streams.find(({ direction, kind }) => direction === 'receive' && kind === 'video')?.values ?? {};
}

test('of a freeze that began before the first second that was read, only what frames leave of that second counts', () => {
  const frameMs = 1000 / 30;
  const usual = Array.from({ length: 26 }, () => frameMs);
  // Native probes tell no time between frames.
  for (const between of [undefined, (second: number) => (second === 1 ? [1900, ...usual] : [...usual, 0])]) {
    const { frozenMs = 0, frozenPercent = 0 } = acrossStart(1900, between ? { between } : {});
    // 100 ms lie in it; when after the last frame the next one came is not known.
    expect(frozenMs).toBeGreaterThanOrEqual(100);
    expect(frozenMs).toBeLessThanOrEqual(100 + frameMs + 0.001);
    expect(frozenPercent).toBeLessThan(0.23);
  }
});

test('of a freeze that lasted while the source was away, only what frames leave of the second of its return counts', () => {
  const fold = new FrozenFold();
  const second = (atMs: number, framesDecoded: number, freezeMs = 0, thereSinceMs?: number) => {
    const metrics = { framesDecoded, freezes: freezeMs > 0 ? 1 : 0, freezeMs };
    fold.add({
      atMs,
      intervalMs: 1000,
      thereSinceMs,
      stream: { leg: '1a', direction: 'receive', kind: 'video', metrics },
    });
  };
  second(1000, 25);
  second(2000, 25);
  second(9000, 21, 6200, 8000);
  second(10_000, 25, 0, 8000);
  expect(fold.time()?.totalMs).toBeCloseTo(200, 6);
});

test('a short freeze counts whole where its second does not tell the time between frames, which may come at once', () => {
  expect(acrossStart(300)).toMatchObject({ frozenMs: 300 });
});

test('of freezes that are told together the mean is the longest that is known, and none where their number is not', () => {
  const together = valuesOf({ freezeMs: inSecond(9, 600), freezes: inSecond(9, 3) });
  expect(together).toMatchObject({ frozenMs: 600, longestFreezeMs: 200 });
  const unsaid = valuesOf({ freezeMs: inSecond(9, 600), freezes: () => null }, 12);
  expect(unsaid).not.toHaveProperty('longestFreezeMs');
  expect(judgedFrozen(unsaid)).toEqual({ percent: 5, of: 'window' });
});

test('one freeze has the same value and the same verdict in a window of 12 s and in one of 60 s', () => {
  for (const lengthMs of [180, 240, 600, 1180, 1200, 1220, 1900]) {
    const [short, long] = [12, 60].map((seconds) => frozenRow({ freezeMs: inSecond(5, lengthMs) }, seconds));
    expect(short?.row?.worst, `${lengthMs} ms`).toBeCloseTo(lengthMs / 600, 9);
    expect(long?.row?.worst).toBeCloseTo(lengthMs / 600, 9);
    expect(short?.kind).toBe(long?.kind);
    expect(short?.kind).toBe(lengthMs <= 1200 ? 'stable' : 'unstable');
  }
});

test('the sentence about one long freeze in a short window says that it is a share of a minute', () => {
  expect(frozenRow({ freezeMs: inSecond(5, 1500) }, 12).texts).toEqual([
    '1a received video from 1b that stood still 2.5 % of a minute: 1.5 s in 1 freeze (limit 2 %).',
  ]);
});

test('one stall of 0.24 s in 12 s, which all viewers saw at once, fails nobody', () => {
  const viewers = calls(8).map((probe) => probe.receivesVideo({ freezeMs: inSecond(6, 240) }));
  expect(judge(aTrial(viewers, { seconds: 12 })).kind).toBe('stable');
});

test('a picture that freezes again and again fails in a short window, and the sentence says how often and how long', () => {
  const again = (second: number) => (second % 3 === 0 ? 250 : 0);
  const { kind, texts, row } = frozenRow({ freezeMs: again }, 12);
  expect(kind).toBe('unstable');
  expect(texts).toEqual([
    '1a received video from 1b that stood still 6.25 % of the time beside its longest freeze: 1 s in 4 freezes, the longest 0.25 s (limit 2 %).',
  ]);
  expect(row).toMatchObject({ worst: 6.25, passed: false });
});

test('the value is over its limit exactly where freezing beyond what one freeze may have elsewhere is', () => {
  const random = randomFrom(20_260);
  const share = limitPercent / 100;
  const wrong: object[] = [];
  let [over, under] = [0, 0];
  for (let round = 0; round < 20_000; round += 1) {
    const measuredMs = 5000 + 75_000 * random();
    const lengths = Array.from({ length: 1 + Math.floor(4 * random()) }, () => 150 + 1300 * random() ** 3);
    const frozenMs = lengths.reduce((sum, length) => sum + length, 0);
    const longestFreezeMs = Math.max(...lengths);
    const values = { frozenPercent: (100 * frozenMs) / measuredMs, frozenMs, longestFreezeMs };
    const value = judgedFrozen(values)?.percent;
    const elsewhereMs = Math.min(longestFreezeMs, share * Math.max(0, minuteMs - measuredMs));
    const fails = frozenMs - elsewhereMs > share * measuredMs;
    if ((value ?? 0) > limitPercent !== fails) wrong.push({ measuredMs, lengths, value });
    if (fails) over += 1;
    else under += 1;
  }
  expect(wrong).toEqual([]);
  expect(Math.min(over, under)).toBeGreaterThan(2000);
});

test('from a minute on the value is the plain share of the time, below it one freeze is a share of a minute', () => {
  const values = { frozenPercent: 2, frozenMs: 1800, longestFreezeMs: 600 };
  expect(judgedFrozen(values)).toEqual({ percent: 2, of: 'window' });
  expect(judgedFrozen({ frozenPercent: 0, frozenMs: 0, longestFreezeMs: 0 })?.percent).toBe(0);
  const dead = { frozenPercent: 100, frozenMs: 12_000, longestFreezeMs: 12_000 };
  expect(judgedFrozen(dead)).toEqual({ percent: 20, of: 'minute' });
});

test('a screen of one picture a second, told as frozen by its decoder, is neither frozen nor does it stutter', () => {
  const probe = aProbe('1a').receivesVideo({ fps: (second) => second % 2, freezeMs: inSecond(3, 900) });
  const window = { startMs, endMs: startMs + minuteMs };
  const samples = probe.samples(startMs, 60).map((sample) => ({
    ...sample,
    streams: sample.streams.map((one) =>
      one.direction === 'receive' && one.kind === 'video' ? { ...one, screen: true as const } : one,
    ),
  }));
  const [video] = summariseStreams(samples, [probe.participant()], window).filter(
    ({ direction, kind }) => direction === 'receive' && kind === 'video',
  );
  expect([video?.values.frozenPercent, video?.values.stutterMs]).toEqual([undefined, undefined]);
  expect(video?.values.fps).toBeCloseTo(0.5, 1);
});
