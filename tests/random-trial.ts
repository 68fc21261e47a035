import type { JudgeInput } from '../analysis/judge/judge-input.js';
import { aProbe, type ProbeBuilder } from './builders/probe-builder.js';
import type { PerSecond } from './builders/streams.js';
import { aTrial, healthyBaseline, startMs, type WholeTrial } from './builders/trial-builder.js';
import { randomFrom } from './random.js';

const seconds = 24;

/** A trial of one or two calls in which anything may go wrong at any time, on either side, and come right again. */
export function randomTrial(seed: number): WholeTrial {
  const random = randomFrom(seed * 7919);
  const chance = (share: number) => random() < share;
  const between = (low: number, high: number) => low + (high - low) * random();
  const turn = Math.floor(between(0, seconds + 6));
  /** One value before a moment of the trial and another after it; noise in between. */
  const turning = (usual: number, worst: number): PerSecond => {
    const [first, then] = chance(0.5) ? [usual, between(usual, worst)] : [between(usual, worst), usual];
    const noise = Array.from({ length: seconds }, () => 1 + 0.1 * (random() - 0.5));
    return (second) => (second < turn ? first : then) * (noise[second] ?? 1);
  };
  const maybe = (share: number, usual: number, worst: number) => (chance(share) ? turning(usual, worst) : usual);
  const probe = (id: string): ProbeBuilder => {
    const sick = chance(0.4);
    const share = sick ? 0.35 : 0;
    const whenFirst = between(-4, seconds * 1.5);
    const tired = chance(0.08);
    return aProbe(id)
      .receivesVideo({
        kbps: maybe(share, 500, 60),
        fps: maybe(share, 30, 2),
        lossPercent: maybe(share, 0, 14),
        ...(chance(0.3) ? { resent: turning(0, 8) } : {}),
        jitterMs: maybe(share, 4, 120),
        freezeMs: chance(share / 2) ? (second) => (second > whenFirst && second % 3 === 0 ? 450 : 0) : 0,
      })
      .receivesAudio({ lossPercent: maybe(share / 2, 0, 9) })
      .sendsVideo({
        kbps: maybe(share / 2, 500, 100),
        lossPercent: maybe(share / 2, 0, 9),
        reportSeconds: chance(0.5) ? 1 : Math.ceil(between(1, 7)),
        rttMs: maybe(share / 2, 20, 900),
        sourceFps: chance(0.05) ? (second) => (second > whenFirst ? 15 : 30) : 30,
        limitedBy: (second) => (tired && second > whenFirst ? 'cpu' : 'none'),
      })
      .isRead({
        rttMs: maybe(share / 2, 20, 900),
        lateMs: chance(0.08) ? (second) => (second > whenFirst ? 450 : 2) : 2,
        missing: chance(0.05) ? (second) => second > whenFirst && second % 4 === 0 : () => false,
      });
  };
  const ids = chance(0.5) ? ['1a', '1b'] : ['1a', '1b', '2a', '2b'];
  const fullFrom = chance(0.1) ? between(-4, seconds * 1.5) : seconds;
  const trial = aTrial(ids.map(probe), {
    seconds,
    baseline: healthyBaseline(),
    host: (second) => (second >= fullFrom ? { busyCores: 3.95, probeCores: chance(0.5) ? 3.6 : 1 } : {}),
  });
  return { ...trial, probes: trial.probes.map((record) => (chance(0.04) ? fallen(record, random) : record)) };
}

const falls = ['disconnected', 'browser-crashed', 'page-crashed'] as const;

function fallen(record: JudgeInput['probes'][number], random: () => number): JudgeInput['probes'][number] {
  const code = falls[Math.floor(random() * falls.length)] ?? 'disconnected';
  const atMs = startMs + 1000 * Math.floor(seconds * random());
  return { ...record, failures: [{ probe: record.participant.id, code, atMs, detail: 'by chance' }] };
}

/** What is known of a trial that is ended so long after its window began. */
export function endedAt(trial: WholeTrial, momentMs: number): WholeTrial {
  const endMs = (trial.window?.startMs ?? 0) + momentMs;
  const soFar = ({ atMs }: { readonly atMs: number }) => atMs <= endMs;
  return {
    ...trial,
    window: trial.window && { ...trial.window, endMs },
    samples: trial.samples.filter(soFar),
    probes: trial.probes.map((probe) => ({ ...probe, failures: probe.failures.filter(soFar) })),
    evidence: { probeHost: trial.evidence.probeHost.filter(soFar), server: trial.evidence.server.filter(soFar) },
  };
}
