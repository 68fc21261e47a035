import { expect, test } from '@playwright/test';
import { atOnce } from '../../model/in-steps.js';
import type { Link, Network } from '../../model/network.js';
import type { Baseline } from '../../model/trial.js';
import { aProbe, type ProbeBuilder } from '../../tests/builders/probe-builder.js';
import {
  aTrial,
  calls,
  startMs,
  type TrialOptions,
  type WholeTrial,
  withProbes,
} from '../../tests/builders/trial-builder.js';
import { both, times } from '../../tests/effort.js';
import { endedAt, randomTrial } from '../../tests/random-trial.js';
import { baselineOfStreams } from '../measure/baseline.js';
import { summariseStreams } from '../measure/window.js';
import { decisionMoments, decisivePartUntil, findingDecisivePart } from './early-verdict.js';
import { judge } from './judge.js';
import type { JudgeInput } from './judge-input.js';

/** One call whose both ends are on such a link. */
function onLink(link: Link, probes: readonly ProbeBuilder[], options: TrialOptions): JudgeInput {
  return placedOn(link, aTrial(withProbes(calls(1), ...probes), options));
}

function placedOn(link: Link, trial: WholeTrial): WholeTrial {
  const network: Network = { name: 'link', sharePercent: 100, up: link, down: link, steps: [] };
  const placed = trial.probes.map((probe) => ({
    ...probe,
    participant: {
      ...probe.participant,
      network: 'link',
      legs: probe.participant.legs.map((leg) =>
        leg.from && 'participant' in leg.from ? { ...leg, from: { ...leg.from, network: 'link' } } : leg,
      ),
    },
  }));
  return { ...trial, probes: placed, networks: [network] };
}

function baselineFrom({ samples, probes, window }: JudgeInput): Baseline {
  const participants = probes.map(({ participant }) => participant);
  const streams = summariseStreams(samples, participants, window ?? { startMs, endMs: startMs });
  return baselineOfStreams(streams, participants);
}

const codesOf = (input: JudgeInput) => [...new Set(judge(input).reasons.map(({ code }) => code))].sort();
const rowOf = (input: JudgeInput, code: string) => judge(input).thresholds.find((one) => one.code === code);

/** ±5 ms and 3 % each way at 40 ms, as in the trials that the figures below are from. */
const lossy: Link = { delayMs: 40, jitterMs: 5, loss: { kind: 'random', percent: 3 } };

/** An embedded server that its own recorder starved of CPU. */
const starved = [
  aProbe('1a')
    .receivesVideo({ kbps: 200, fps: 29.7, jitterMs: 27, freezeMs: (second) => (second % 2 ? 149 : 0) })
    .receivesAudio({ lossPercent: 5.7, jitterMs: 18.6, jitterBufferMs: 533, concealedPercent: 1.5 })
    .isRead({ rttMs: 159 }),
  aProbe('1b')
    .receivesVideo({ kbps: 271, fps: 22, jitterMs: 23.5, freezeMs: 311 })
    .receivesAudio({ lossPercent: 4.6, jitterMs: 16.6, jitterBufferMs: 517, concealedPercent: 0.3 })
    .isRead({ rttMs: 182 }),
];

/** A server that the same link left in peace: in one trial nothing froze, in another eight times. */
const inPeace = (freezes: number, audioLossPercent: number) =>
  ['1a', '1b'].map((id) =>
    aProbe(id)
      .receivesVideo({ fps: 29.9, jitterMs: 15, freezeMs: (second) => (second < freezes ? 225 : 0) })
      .receivesAudio({ lossPercent: audioLossPercent, jitterMs: 7, jitterBufferMs: 105, concealedPercent: 1 })
      .sendsVideo({ rttMs: 82 })
      .isRead({ rttMs: 82 }),
  );

test('a baseline that stands still far longer than its link explains is unstable, and so are frame rate and MOS', () => {
  const trial = onLink(lossy, starved, { baseline: null, seconds: 15 });
  expect(codesOf(trial)).toEqual(['audio-quality', 'frozen', 'low-frame-rate']);
});

test('what a spoilt baseline had excuses nothing beyond the link', () => {
  const spoilt = baselineFrom(onLink(lossy, starved, { baseline: null }));
  const later = onLink(lossy, starved, { baseline: spoilt });
  expect(codesOf(later)).toEqual(expect.arrayContaining(['audio-quality', 'frozen']));
});

test('one trial is stable by the baseline of another on the same link, though one froze by chance and one did not', () => {
  const alone = onLink(lossy, inPeace(0, 3), { baseline: null, seconds: 20 });
  expect(judge(alone)).toMatchObject({ kind: 'stable' });
  const baseline = baselineFrom(alone);
  expect(judge(onLink(lossy, inPeace(8, 3.8), { baseline, seconds: 20 }))).toMatchObject({ kind: 'stable' });
  // So much is neither the link nor chance.
  const often = onLink(lossy, inPeace(60, 3.8), { baseline, seconds: 60 });
  expect(codesOf(often)).toContain('frozen');
});

test('a row that is counted from its link says so, with what was measured and what the link explains', () => {
  const baseline = baselineFrom(onLink(lossy, inPeace(0, 3), { baseline: null }));
  const trial = onLink(lossy, inPeace(0, 3), { baseline });
  expect(rowOf(trial, 'round-trip')).toMatchObject({
    label: 'round trip beyond its link, mean',
    worst: 0,
    ofLink: { measured: 82, share: 82 },
  });
  const labels = judge(trial).thresholds.map(({ label }) => label);
  expect(labels).toEqual(expect.arrayContaining(['audio loss beyond its link, mean', 'audio MOS but for its link']));
  const plain = aTrial(calls(1));
  expect(rowOf(plain, 'round-trip')).not.toHaveProperty('ofLink');
  expect(rowOf(plain, 'round-trip')).toMatchObject({ label: 'round trip, mean' });
});

test('a link slower than the media lowers bitrate and frame rate, and is not the server’s doing', () => {
  const slow: Link = { delayMs: 20, rateBps: 400_000 };
  const squeezed = (fps: number) => ['1a', '1b'].map((id) => aProbe(id).receivesVideo({ kbps: 280, fps }));
  const alone = onLink(slow, squeezed(20), { baseline: null });
  expect(judge(alone)).toMatchObject({ kind: 'stable' });
  expect(judge(onLink(slow, squeezed(19), { baseline: baselineFrom(alone) }))).toMatchObject({ kind: 'stable' });
  const wide: Link = { delayMs: 20, rateBps: 4_000_000 };
  expect(codesOf(onLink(wide, squeezed(20), { baseline: null }))).toEqual(['low-frame-rate']);
});

test('a round trip ends a trial early by the same link’s round trip as it is judged by: that of the leg’s slowest stream', () => {
  const far: Link = { delayMs: 300 };
  const measured = ['1a', '1b'].map((id) =>
    aProbe(id).sendsAudio({ rttMs: 700 }).sendsVideo({ rttMs: 700 }).isRead({ rttMs: 700 }),
  );
  const { streams } = baselineFrom(onLink(far, measured, { baseline: null }));
  const roundTrips = Object.entries(streams).map(([key, entry]) => {
    const rttMs = key.includes('/video') ? 500 : 100;
    return [key, { ...entry, rttMs }] as const;
  });
  const trial = onLink(far, measured, { baseline: { streams: Object.fromEntries(roundTrips) } });
  expect(atOnce(findingDecisivePart(trial))).toBeUndefined();
  expect(judge(trial)).toMatchObject({ kind: 'stable' });
  expect(rowOf(trial, 'round-trip')).toMatchObject({ worst: 200 });
});

test('an early verdict on an impaired link is that of the whole trial, in the baseline and after', both, () => {
  test.setTimeout(120_000);
  let decided = 0;
  for (let seed = 1; seed <= times(20, 400); seed += 1) {
    const trial = placedOn(lossy, randomTrial(seed));
    const input = seed % 2 === 0 ? trial : { ...trial, baseline: null };
    const early = decisionMoments(trial.timing.measureMs).find((ms) => decisivePartUntil(endedAt(input, ms), ms));
    if (early === undefined) continue;
    decided += 1;
    expect(judge(input).kind, `seed ${seed}, ended after ${early} ms`).toBe('unstable');
    // What the judge finds at the end does not rest on the part alone.
    const whole = judge({ ...input, thresholds: { ...input.thresholds, badProbes: { max: 0, unit: 'probes' } } });
    expect(whole.kind, `seed ${seed}, measured to its end`).not.toBe('stable');
  }
  expect(decided).toBeGreaterThan(times(2, 40));
});
