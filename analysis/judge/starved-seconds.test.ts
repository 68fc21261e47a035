import { expect, test } from '@playwright/test';
import { aProbe, type ProbeBuilder } from '../../tests/builders/probe-builder.js';
import { aTrial, calls, type TrialOptions, withProbes } from '../../tests/builders/trial-builder.js';
import { both, times } from '../../tests/effort.js';
import { randomFrom } from '../../tests/random.js';
import { judge } from './judge.js';

const full = (...seconds: number[]) => ({
  host: (second: number) => ({ busyCores: seconds.includes(second) ? 4 : 1 }),
});
const judged = (probe: ProbeBuilder, options: TrialOptions) => judge(aTrial(withProbes(calls(2), probe), options));

/** Half of the sound of a second is made up in one piece, and what was held up is played late. */
const interrupted = aProbe('1a').receivesAudio({
  concealedPercent: (second) => (second === 3 ? 70 : 0),
  concealmentEvents: (second) => (second === 3 ? 1 : 0),
  jitterBufferMs: (second) => (second < 3 ? 40 : Math.max(40, 400 - 44 * (second - 4))),
});

test('what a receiver missed in the one second in which its host was full is not the server’s doing', () => {
  expect(judged(interrupted, { seconds: 12 })).toMatchObject({ kind: 'unstable' });
  const { kind, reasons, probesExhausted, discardsFailure } = judged(interrupted, { seconds: 12, ...full(3) });
  expect([kind, probesExhausted, discardsFailure]).toEqual(['void', false, true]);
  expect(reasons.map(({ code, text }) => [code, text])).toEqual([
    [
      'environment',
      'The probe host was out of CPU in 1 of 12 s while measuring: 4 of 4 cores busy, 3.1 of them with other processes; what is near a limit may be so by that second.',
    ],
  ]);
});

test('what one full second does not explain stays the server’s: in the rest of the window, at joining, by its own word', () => {
  const minute = { seconds: 60, ...full(30) };
  const worse = [
    aProbe('1a').receivesAudio({ concealedPercent: 12 }),
    aProbe('1a').receivesAudio({ jitterBufferMs: 700 }),
    aProbe('1a').receivesVideo({ fps: 20 }),
    aProbe('1a').receivesVideo({ freezeMs: (second) => (second % 10 === 5 ? 900 : 0) }),
    aProbe('1a').receivesVideo({ lossPercent: 6 }),
    aProbe('1a').lacks('receive', 'audio'),
    aProbe('1a').fails('disconnected', 'the connection was lost', true),
    aProbe('1a').joined({ answerMs: 50, iceConnectedMs: 200, dtlsConnectedMs: 15_000, firstFrameMs: 16_000 }),
  ];
  for (const probe of worse) expect(judged(probe, minute).kind).toBe('unstable');
});

test('a pass near a limit while a host was full in some second confirms nothing, and a clear one does', () => {
  const near = aProbe('1a').receivesVideo({ jitterBufferMs: 250 });
  expect(judged(near, { seconds: 12 })).not.toHaveProperty('disturbedBy');
  const { kind, disturbedBy } = judged(near, { seconds: 12, ...full(3) });
  expect([kind, disturbedBy?.map(({ code }) => code)]).toEqual(['stable', ['environment']]);
  expect(judged(aProbe('1a'), { seconds: 12, ...full(3) })).not.toHaveProperty('disturbedBy');
});

test('a stable trial stays as it was, and so does one that a full host makes void anyway', () => {
  expect(judged(aProbe('1a'), { seconds: 12, ...full(3) })).toEqual(judged(aProbe('1a'), { seconds: 12 }));
  const { reasons } = judged(interrupted, { seconds: 12, ...full(3, 4) });
  expect(reasons.map(({ measured, limit }) => [Math.round(measured ?? 0), limit])).toEqual([[17, 10]]);
});

interface Simulated {
  readonly seconds: number;
  /** Of the server, 0 to 1. */
  readonly strength: number;
  readonly bursts: readonly (readonly [fromSecond: number, toSecond: number])[];
}

/** What a second from this one on has of the bursts. */
const sharesIn = ({ bursts }: Simulated, from: number) =>
  bursts.reduce((sum, [start, end]) => sum + Math.max(0, Math.min(end, from + 1) - Math.max(start, from)), 0);

/**
 * A receiver on a host that others fill in bursts, and a server that spoils a share of all sound and pictures evenly.
 */
function received(of: Simulated, random: () => number): ProbeBuilder {
  const each = <Value>(make: (starved: number) => Value) =>
    Array.from({ length: of.seconds }, (_, second) => make(sharesIn(of, second)));
  let heldMs = 0;
  const sound = each((starved) => {
    heldMs = Math.max(0, heldMs + 600 * starved * random() - 44);
    return { concealed: Math.min(100, 100 * starved * random() + 20 * of.strength * random()), heldMs };
  });
  const pictures = each((starved) => ({
    fps: 30 * (1 - starved * random()) * (1 - 0.5 * of.strength),
    freezeMs: starved > 0.3 && random() < 0.7 ? 1000 * starved * random() : 0,
  }));
  const at = <Value>(values: readonly Value[], second: number) => values[second] as Value;
  return aProbe('1a')
    .receivesAudio({
      concealedPercent: (second) => at(sound, second).concealed,
      concealmentEvents: (second) => (at(sound, second).concealed > 0 ? 1 : 0),
      jitterBufferMs: (second) => 40 + at(sound, second).heldMs,
      jitterMs: (second) => 3 + 60 * sharesIn(of, second) * random(),
    })
    .receivesVideo({ fps: (second) => at(pictures, second).fps, freezeMs: (second) => at(pictures, second).freezeMs });
}

/** The host is read half a second beside the samples. */
const busyIn = (of: Simulated, second: number) => 1.2 + 2.8 * Math.min(1, sharesIn(of, second - 0.5));

function kindOf(of: Simulated, random: () => number) {
  const host = (second: number) => ({ busyCores: busyIn(of, second) });
  return judged(received(of, random), { seconds: of.seconds, host }).kind;
}

test(
  'a healthy server is never unstable for bursts of two seconds and more, and a bad one is found where the host is idle',
  both,
  () => {
    const seeds = times(20, 300);
    const kinds = { healthy: 0, idle: 0, both: 0 };
    for (let seed = 1; seed <= seeds; seed += 1) {
      const random = randomFrom(seed);
      const seconds = [12, 20, 30, 60][seed % 4] ?? 60;
      const bursts = Array.from({ length: 1 + Math.floor((2 * seconds * random()) / 60) }, () => {
        const start = 1 + (seconds - 5) * random();
        return [start, start + 2 + random()] as const;
      });
      if (kindOf({ seconds, strength: 0, bursts }, random) === 'unstable') kinds.healthy += 1;
      const strength = 0.5 + 0.5 * random();
      if (kindOf({ seconds, strength, bursts: [] }, random) === 'unstable') kinds.idle += 1;
      // One burst, and a window of a minute.
      const [first = [10, 12.5] as const] = bursts;
      if (kindOf({ seconds: 60, strength: 0.8 + 0.2 * random(), bursts: [first] }, random) === 'unstable')
        kinds.both += 1;
    }
    expect(kinds.healthy).toBeLessThanOrEqual(0.01 * seeds);
    expect(kinds.idle).toBeGreaterThanOrEqual(0.99 * seeds);
    expect(kinds.both).toBeGreaterThanOrEqual(0.99 * seeds);
  },
);
