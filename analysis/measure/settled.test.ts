import { expect, test } from '@playwright/test';
import { atOnce } from '../../model/in-steps.js';
import { mediaSchema } from '../../model/plan.js';
import type { Sample } from '../../model/sample.js';
import type { Participant } from '../../model/scenario.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { startMs } from '../../tests/builders/trial-builder.js';
import { both, long, times } from '../../tests/effort.js';
import { randomFrom } from '../../tests/random.js';
import { isSettled } from '../../tests/whole-lists.js';
import { Settling } from './settled.js';

const media = mediaSchema.parse({});
type Rate = (second: number) => number;

/**
 * The second after which calls whose streams all have this rate are first held to be settled; null within two minutes.
 */
function settlesAfter(rate: Rate, options: { noisePercent?: number; calls?: number; seed?: number } = {}) {
  const random = randomFrom(options.seed ?? 1);
  const noise = () => 1 + (((options.noisePercent ?? 0) * Math.sqrt(12)) / 100) * (random() - 0.5);
  const probes = Array.from({ length: options.calls ?? 1 }, (_, index) => [`${index + 1}a`, `${index + 1}b`]).flat();
  const built = probes.map((id) => {
    const series = Array.from({ length: 120 }, (_, second) => rate(second) * noise());
    const kbps: Rate = (second) => series[second] ?? 0;
    return aProbe(id).sendsVideo({ kbps }).receivesVideo({ kbps });
  });
  const samples = built.flatMap((probe) => probe.samples(startMs, 120));
  const participants = built.map((probe) => probe.participant());
  for (let seconds = 1; seconds <= 120; seconds += 1) {
    const soFar = samples.filter((sample) => sample.atMs <= startMs + seconds * 1000);
    if (isSettled(soFar, participants, media)) return seconds;
  }
  return null;
}

const seeds = Array.from({ length: 20 }, (_, index) => index + 1);
const linear =
  (rampSeconds: number): Rate =>
  (second) =>
    Math.min(500, 300 + (200 * second) / rampSeconds);

test('flat streams are settled after 8 s, after 6 at the rate asked', () => {
  expect(settlesAfter(() => 450)).toBe(8);
  expect(settlesAfter(() => 500)).toBe(6);
});

test('a ramp like those under a Kurento ends with 4 s at the rate asked, though it still grew before', () => {
  const ramp = [
    295, 246, 253, 247, 249, 243, 274, 298, 328, 352, 326, 385, 419, 457, 494, 491, 486, 486, 478, 480, 484,
  ];
  expect(settlesAfter((second) => ramp[second] ?? 480)).toBe(ramp.indexOf(494) + 4);
  // One stream of three that lags is waited for.
  const built = [0, 0, 6].map((lag, index) => {
    const kbps: Rate = (second) => ramp[Math.max(0, second - lag)] ?? 480;
    return aProbe(`${index + 1}a`).sendsVideo({ kbps });
  });
  const samples = built.flatMap((probe) => probe.samples(startMs, 17));
  const participants = built.map((probe) => probe.participant());
  expect(isSettled(samples, participants, media)).toBe(false);
});

test('streams that get nothing, and probes that give no samples, never block', () => {
  expect(settlesAfter(() => 0)).toBe(8);
  const [live, silent] = [aProbe('1a'), aProbe('1b')];
  const participants = [live.participant(), silent.participant()];
  expect(isSettled(live.samples(startMs, 10), participants, media)).toBe(true);
  expect(isSettled([], participants, media)).toBe(false);
});

for (const rampSeconds of [15, 20, 30]) {
  test(`a ramp from 300 to 500 kbit/s over ${rampSeconds} s is waited out, with noise and without`, both, () => {
    const bare = settlesAfter(linear(rampSeconds)) ?? 0;
    expect(linear(rampSeconds)(bare)).toBeGreaterThanOrEqual(490);
    expect(bare).toBeLessThanOrEqual(rampSeconds + 10);
    for (const seed of seeds.slice(0, times(3, 20))) {
      const noisy = settlesAfter(linear(rampSeconds), { noisePercent: 3, calls: 3, seed }) ?? 0;
      expect(linear(rampSeconds)(noisy)).toBeGreaterThan(470);
      expect(noisy).toBeLessThanOrEqual(rampSeconds + 20);
    }
  });
}

test('an exponential ramp is waited out to within 5 % of its end', () => {
  const rate: Rate = (second) => 500 - 200 * Math.exp(-second / 6);
  const seconds = settlesAfter(rate) ?? 0;
  expect(rate(seconds)).toBeGreaterThan(475);
});

test('a sender that waits at 300 kbit/s before it ramps is not taken for settled', () => {
  const seconds = settlesAfter((second) => (second < 10 ? 300 : Math.min(500, 300 + 13 * (second - 10)))) ?? 0;
  expect(seconds).toBeGreaterThan(24);
});

test('steps of 40 kbit/s every 5 s are waited out', () => {
  const rate: Rate = (second) => Math.min(500, 300 + 40 * Math.floor(second / 5));
  expect(rate(settlesAfter(rate) ?? 0)).toBe(500);
});

test('a ramp of one call among twenty is seen', () => {
  const flat = Array.from({ length: 20 }, (_, index) => aProbe(`${index + 2}a`));
  const kbps: Rate = linear(30);
  const ramping = aProbe('1a').sendsVideo({ kbps });
  const other = aProbe('1b').receivesVideo({ kbps });
  const probes = [...flat, ramping, other];
  const samples = probes.flatMap((probe) => probe.samples(startMs, 10));
  expect(
    isSettled(
      samples,
      flat.map((probe) => probe.participant()),
      media,
    ),
  ).toBe(true);
  const rates: Rate = (second) => 200 + 30 * second;
  const climbing = flat.slice(0, 3).map((probe) => probe.sendsVideo({ kbps: rates }));
  const some = [...flat.slice(3), ...climbing];
  const mixed = some.flatMap((probe) => probe.samples(startMs, 10));
  expect(
    isSettled(
      mixed,
      some.map((probe) => probe.participant()),
      media,
    ),
  ).toBe(false);
});

test('noisy flat streams are settled in bounded time, one call or thirty', () => {
  const slowest = (calls: number, noisePercent: number) =>
    Math.max(
      ...seeds
        .slice(0, calls > 1 ? 3 : 20)
        .map((seed) => settlesAfter(() => 480, { noisePercent, calls, seed }) ?? 999),
    );
  expect(slowest(1, 3)).toBeLessThanOrEqual(16);
  expect(slowest(1, 10)).toBeLessThanOrEqual(40);
  expect(slowest(30, 10)).toBeLessThanOrEqual(16);
});

test('a dip does not keep the streams from settling for longer than it takes to leave view', () => {
  const seconds = settlesAfter((second) => (second === 5 ? 250 : 500)) ?? 0;
  expect(seconds).toBeLessThanOrEqual(18);
});

test('a stream whose source is away is not waited for, and one that has come back is until its rate is known', () => {
  const watcher = aProbe('1a').receivesVideoFrom('1b').receivesVideoFrom('1c');
  const awayIn = (from: number, to: number) =>
    watcher.samples(startMs, 40).map((sample, second) => ({
      ...sample,
      streams: sample.streams.map((stream) =>
        stream.direction === 'receive' && stream.stream === '1c' && second >= from && second < to
          ? ({ ...stream, metrics: {}, away: true } as const)
          : stream,
      ),
    }));
  const settled = (samples: ReturnType<typeof awayIn>) => isSettled(samples, [watcher.participant()], media);
  expect([5, 10, 15, 19].map((seconds) => settled(awayIn(40 - seconds, 40)))).toEqual([true, true, true, true]);
  expect([1, 4].map((seconds) => settled(awayIn(20, 40 - seconds)))).toEqual([false, false]);
  expect(settled(awayIn(20, 31))).toBe(true);
});

test('130,000 streams settle as a few do', long, () => {
  const leg = '1a';
  const sources = Array.from({ length: 65_000 }, (_, index) => ({
    participant: `s${index}`,
    kinds: ['video'] as const,
  }));
  const participants = ['1a', '1b'].map(
    (id): Participant => ({
      id,
      session: '1',
      role: 'viewer',
      legs: [{ id: leg, sends: [], receives: ['video'], from: sources }],
    }),
  );
  const streamsAt = (kbps: number) =>
    sources.map(({ participant: stream }) => {
      return { leg, direction: 'receive', kind: 'video', stream, metrics: { bytesReceived: kbps * 125 } } as const;
    });
  const settles = (rates: readonly number[]) => {
    const settling = new Settling(participants, media);
    for (const [second, kbps] of rates.entries()) {
      const streams = streamsAt(kbps);
      const sample = { atMs: startMs + 1000 * second, intervalMs: 1000, lateMs: 0, legs: [], streams };
      for (const { id } of participants) settling.add({ ...sample, probe: id } satisfies Sample);
    }
    return atOnce(settling.settling(startMs + 1000 * rates.length));
  };
  expect(settles([500, 500, 500, 500, 500, 500, 500, 500])).toBe(true);
  expect(settles([300, 320, 340, 360, 380, 400, 420, 440])).toBe(false);
});

test('samples that come out of order and twice are settled as those in order are', () => {
  const probe = aProbe('1a')
    .sendsVideo({ kbps: linear(30) })
    .receivesVideo({ kbps: linear(30) });
  const found = new Set<boolean>();
  for (const seed of seeds) {
    const random = randomFrom(seed);
    const samples = probe.samples(startMs, 10 + Math.floor(40 * random()));
    const late = samples.map((sample) => ({ sample, atMs: sample.atMs + 2500 * random() }));
    const came = late.sort((a, b) => a.atMs - b.atMs).flatMap(({ sample }) => [sample, sample]);
    const [inOrder, disordered] = [samples, came].map((all) => {
      const settling = new Settling([probe.participant()], media);
      for (const sample of all) settling.add(sample);
      return atOnce(settling.settling(samples.at(-1)?.atMs ?? 0));
    });
    expect(disordered, `seed ${seed}`).toBe(inOrder);
    found.add(disordered === true);
  }
  expect(found.size).toBe(2);
});

test('silence of mute people, whose few packets are more in some seconds, keeps no room of sound unsettled', () => {
  const silent = (second: number) => (second < 4 ? 0.58 : 0.86);
  const sound = (id: string) => aProbe(id).without('send', 'video').without('receive', 'video');
  const built = [
    sound('1a').hearsWhoIsMute().receivesAudio({ kbps: silent }),
    sound('1b').isMute().sendsAudio({ kbps: silent }),
  ];
  const samples = built.flatMap((probe) => probe.samples(startMs, 8));
  const participants = built.map((probe) => probe.participant());
  expect(isSettled(samples, participants, media)).toBe(true);
});
