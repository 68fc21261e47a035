import { expect, test } from '@playwright/test';
import type { TrialEvent } from '../../model/trial.js';
import { aProbe, type ProbeBuilder } from '../../tests/builders/probe-builder.js';
import { aTrial, calls, startMs, type WholeTrial, withProbes } from '../../tests/builders/trial-builder.js';
import { times } from '../../tests/effort.js';
import { randomFrom } from '../../tests/random.js';
import { judge } from './judge.js';

const joiningSeconds = 30;
const joinMs = startMs - 1000 * (joiningSeconds + 5);
const events: readonly TrialEvent[] = [
  { type: 'phase', atMs: joinMs, phase: 'join' },
  { type: 'phase', atMs: joinMs + 1000 * joiningSeconds, phase: 'settle' },
  { type: 'phase', atMs: startMs, phase: 'measure' },
];

/** Healthy in the window; `joining` says how it was read before, from when participants began to join. */
function whileJoining(joining: ProbeBuilder): WholeTrial {
  const trial = aTrial(calls(2), { events });
  const before = withProbes(calls(2), joining).flatMap((probe) => probe.samples(joinMs, joiningSeconds + 5));
  return { ...trial, samples: [...before, ...trial.samples] };
}

/** The picture of who is there stands still so long in each second in which somebody joins. */
const freezing = (ms: number, seconds = (_: number) => true) =>
  aProbe('1a').receivesVideo({ freezeMs: (second) => (seconds(second) ? ms : 0) });

test('a server whose participants freeze at each joining makes the trial unstable, though the window is healthy', () => {
  const { kind, reasons, thresholds } = judge(whileJoining(freezing(300)));
  expect([kind, ...reasons.map(({ text }) => text)]).toEqual([
    'unstable',
    '1a received video from 1b that stopped for 8.1 s in all while others joined, 13.5 % (limit 2 %).',
  ]);
  const row = thresholds.find(({ code }) => code === 'seated-gaps');
  expect(row).toMatchObject({ label: 'gaps while others joined', worst: 13.5, worstProbe: '1a', passed: false });
});

test('sound that is made up or does not come while others join is found, too, with a browser and without', () => {
  const codes = (probe: ProbeBuilder) => judge(whileJoining(probe)).reasons.map(({ code }) => code);
  expect(codes(aProbe('1a').receivesAudio({ concealedPercent: 20 }))).toEqual(['seated-gaps']);
  const silent = (second: number) => (second > 10 && second < 20 ? 0 : 40);
  expect(codes(aProbe('1a').receivesAudio({ concealedPercent: null, kbps: silent }))).toEqual(['seated-gaps']);
});

test('what comes before and after does not count: the first two seconds of a stream, settling, and rates that grow', () => {
  const beginning = freezing(900, (second) => second < 3);
  const settling = freezing(900, (second) => second >= joiningSeconds);
  const growing = aProbe('1a').receivesVideo({ kbps: (second) => Math.min(500, 50 + 15 * second) });
  for (const probe of [beginning, settling, growing]) {
    const { kind, thresholds } = judge(whileJoining(probe));
    expect([kind, thresholds.find(({ code }) => code === 'seated-gaps')?.worst]).toEqual(['stable', 0]);
  }
});

test('a stream that came while others joined and is gone in the window did not arrive, as one that never came', () => {
  for (const kind of ['video', 'audio'] as const) {
    const healthy = whileJoining(aProbe('1a'));
    const gone = aTrial(withProbes(calls(2), aProbe('1a').lacks('receive', kind)), { events });
    const samples = [...healthy.samples.filter(({ atMs }) => atMs <= startMs), ...gone.samples];
    const verdict = judge({ ...healthy, samples });
    expect([verdict.kind, verdict.reasons.map(({ code }) => code)]).toEqual(['unstable', ['no-media']]);
  }
});

test('a full probe host while others join makes such a trial void, and a stored run without that limit is not judged by it', () => {
  const trial = whileJoining(freezing(300));
  const [reading] = trial.evidence.probeHost;
  const full = Array.from({ length: joiningSeconds }, (_, second) => ({
    ...(reading as NonNullable<typeof reading>),
    atMs: joinMs + 1000 * (second + 1),
    busyCores: 4,
    probeCores: 3.9,
  }));
  const probeHost = [...full, ...trial.evidence.probeHost];
  const { kind, reasons } = judge({ ...trial, evidence: { ...trial.evidence, probeHost } });
  expect([kind, ...reasons.map(({ code }) => code)]).toEqual(['void', 'probe-cpu']);
  const { seatedGapPercentMax: _, ...before } = trial.thresholds;
  expect(judge({ ...trial, thresholds: before as typeof trial.thresholds }).kind).toBe('stable');
});

test('without marks of joining nothing is known, and nothing is judged', () => {
  expect(judge({ ...whileJoining(freezing(300)), events: [] }).kind).toBe('stable');
});

test('freezes at each joining are found from 50 ms a second on, and those of healthy servers never, in all seeds', () => {
  for (let seed = 1; seed <= times(20, 300); seed += 1) {
    const random = randomFrom(seed);
    const strength = 0.17 + 0.83 * random();
    const frozen = aProbe('1a').receivesVideo({ freezeMs: () => 400 * strength * (0.7 + 0.6 * random()) });
    expect(judge(whileJoining(frozen)).kind, `seed ${seed}`).toBe('unstable');
    // The most that was seen of a stable trial of a real server: 0.2 s.
    const healthy = aProbe('1a').receivesVideo({ freezeMs: (second) => (second === 12 ? 300 * random() : 0) });
    expect(judge(whileJoining(healthy)).kind, `seed ${seed}`).toBe('stable');
  }
});
