import { expect, test } from '@playwright/test';
import { thresholdsSchema } from '../../model/plan.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { aTrial, calls, withProbes } from '../../tests/builders/trial-builder.js';
import { both, times } from '../../tests/effort.js';
import { randomFrom } from '../../tests/random.js';
import { judge } from './judge.js';
import { withExpressions } from './thresholds/apply.js';
import { readExpression } from './thresholds/expression.js';

const seconds = 20;
const everyMs = 150;
const audioSpacingMs = 20;
/** Of a camera's 30 frames a second, and of a mix of 15. */
const videoSpacingsMs = [1000 / 30, 1000 / 15] as const;

/** A server that is held back again and again, each time for up to so long: what came meanwhile leaves at once. */
function stalling(seed: number): (sentMs: number) => number {
  const random = randomFrom(seed);
  const longestMs = 20 + 125 * random();
  const stalls = Array.from(
    { length: Math.ceil((1000 * seconds) / everyMs) + 1 },
    () => longestMs * (0.9 + 0.1 * random()),
  );
  return (sentMs) => {
    const period = Math.floor(sentMs / everyMs);
    return Math.max(sentMs, everyMs * period + (stalls[period] ?? 0));
  };
}

/** Interarrival jitter of RFC 3550, 6.4.1, read at the end of each second; one packet for each timestamp. */
function jitterOf(arrivalMs: (sentMs: number) => number, spacingMs: number): readonly number[] {
  let jitterMs = 0;
  let lastTransitMs = arrivalMs(0);
  const read: number[] = [];
  for (let sentMs = spacingMs; read.length < seconds; sentMs += spacingMs) {
    if (sentMs >= 1000 * (read.length + 1)) read.push(jitterMs);
    const transitMs = arrivalMs(sentMs) - sentMs;
    jitterMs += (Math.abs(transitMs - lastTransitMs) - jitterMs) / 16;
    lastTransitMs = transitMs;
  }
  return read;
}

const perSecond = (values: readonly number[]) => (second: number) => values[second] ?? 0;
const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

function callWith(audioMs: readonly number[], videoMs: readonly number[]) {
  const heard = aProbe('1a')
    .receivesAudio({ jitterMs: perSecond(audioMs) })
    .receivesVideo({ jitterMs: perSecond(videoMs) });
  return aTrial(withProbes(calls(1), heard), { seconds });
}

test('the same delays get the same verdict, whether packets are 20, 33 or 67 ms apart', both, () => {
  const seeds = times(45, 300);
  const different: object[] = [];
  let [stable, unstable, overAtVideo] = [0, 0, 0];
  for (let seed = 1; seed <= seeds; seed += 1) {
    const arrivalMs = stalling(seed);
    const audioMs = jitterOf(arrivalMs, audioSpacingMs);
    const videosMs = videoSpacingsMs.map((spacingMs) => jitterOf(arrivalMs, spacingMs));
    const kinds = [audioMs, ...videosMs].map((videoMs) => judge(callWith(audioMs, videoMs)).kind);
    if (new Set(kinds).size > 1) different.push({ seed, kinds });
    if (kinds[0] === 'stable') stable += 1;
    else unstable += 1;
    if (meanOf(audioMs) <= 30 && videosMs.some((values) => meanOf(values) > 30)) overAtVideo += 1;
  }
  expect(different).toEqual([]);
  // The delays are of all kinds, and of some the number alone depends on the spacing.
  expect(Math.min(stable, unstable, overAtVideo)).toBeGreaterThan(seeds / 15);
});

test('five calls at 30 fps with 30 to 35 ms of video jitter, 22 to 23 ms of audio jitter and nothing frozen are stable', () => {
  // Read on a real media server that was held to a quarter of a core; every other value was well within its limit.
  const read = [
    [22.6, 31.2],
    [22.4, 31.6],
    [22.9, 33.2],
    [21.7, 32.7],
    [23, 35],
    [22.7, 30.3],
    [23, 32.3],
    [22.4, 32.1],
    [21.8, 30.7],
    [21.7, 31.4],
  ] as const;
  const probes = calls(5).map((probe, index) => {
    const [audioMs = 0, videoMs = 0] = read[index] ?? [];
    return probe
      .receivesAudio({ jitterMs: audioMs, jitterBufferMs: 150 })
      .receivesVideo({ jitterMs: videoMs })
      .isRead({ rttMs: 20 });
  });
  const verdict = judge(aTrial(probes, { seconds: 15 }));
  expect(verdict).toMatchObject({ kind: 'stable', reasons: [] });
  expect(verdict.thresholds.find(({ code }) => code === 'jitter')).toMatchObject({ worst: 23, passed: true });
});

test('a limit on the jitter of video holds where a plan asks for one', () => {
  const asked = ['received.video.jitter.mean <= 30ms', 'received.jitter.mean <= 30ms'];
  for (const text of asked) {
    const expression = readExpression(text);
    if (!expression.ok) throw new Error(expression.message);
    const thresholds = withExpressions(thresholdsSchema.parse({}), [expression.expression]);
    const verdict = judge({ ...callWith([23], [35]), thresholds });
    expect(verdict.kind).toBe('stable');
    const over = judge({ ...callWith([23], Array(seconds).fill(35)), thresholds });
    expect(over).toMatchObject({ kind: 'unstable', reasons: [{ code: 'threshold', stream: { kind: 'video' } }] });
  }
});
