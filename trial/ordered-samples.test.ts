import { expect, test } from '@playwright/test';
import { decisionMoments, judgedWindow } from '../analysis/judge/early-verdict.js';
import { judge } from '../analysis/judge/judge.js';
import { type JudgeInput, joinedMs, measuredOf } from '../analysis/judge/judge-input.js';
import { loadSummary } from '../analysis/measure/load-summary.js';
import { SampleFold } from '../analysis/measure/sample-fold.js';
import type { TrialSamples } from '../analysis/measure/window.js';
import type { Sample } from '../model/sample.js';
import { both, times } from '../tests/effort.js';
import { randomFrom } from '../tests/random.js';
import { randomTrial } from '../tests/random-trial.js';
import { aPlan } from '../tests/simulated-run.js';
import { aSample } from '../tests/stored-run.js';
import { OrderedSamples } from './ordered-samples.js';
import { SampleIntake } from './sample-intake.js';

const atMsOf = (samples: readonly Sample[]) => samples.map(({ probe, atMs }) => `${probe} ${atMs}`);

test('a sample that was overtaken by the next one of its probe is put before it', () => {
  const ordered = new OrderedSamples();
  const passed = [aSample('1a', 1), aSample('1a', 3), aSample('1b', 1), aSample('1a', 2), aSample('1a', 4)].flatMap(
    (sample) => ordered.add([sample], sample.atMs + 5000),
  );
  const all = [...passed, ...ordered.until(Number.POSITIVE_INFINITY)];
  expect(atMsOf(all.filter(({ probe }) => probe === '1a'))).toEqual(
    atMsOf([1, 2, 3, 4].map((at) => aSample('1a', at))),
  );
  expect(ordered.leftOut().size).toBe(0);
});

test('what comes twice, or after a later one was passed on, is left out and counted by its probe', () => {
  const ordered = new OrderedSamples();
  const told = [1, 2, 3, 4, 5].map((at) => aSample('1a', at));
  const nowMs = 1e15;
  expect(ordered.add([...told, aSample('1a', 5), aSample('1a', 2), aSample('1b', 1)], nowMs)).toHaveLength(4);
  expect(ordered.until(nowMs)).toHaveLength(2);
  expect([...ordered.leftOut()]).toEqual([['1a', 2]]);
});

test('a sample of a time that has not come waits until it has, and never for ever', () => {
  const ordered = new OrderedSamples();
  const told = Array.from({ length: 20 }, (_, at) => aSample('1a', at));
  const [first, second] = told.map(({ atMs }) => atMs);
  expect(ordered.add(told, (first ?? 0) - 1)).toEqual([]);
  expect(atMsOf(ordered.until(second ?? 0))).toEqual(atMsOf(told.slice(0, 2)));
  expect(ordered.leftOut().get('1a')).toBe(18);
});

const secondOf = (at: number): Sample => ({ ...aSample('1a', 1000 * at), intervalMs: 999.6 });

test('a sample that begins where the last one ended waits for nothing; after a gap it waits for what may come into it', () => {
  const ordered = new OrderedSamples();
  const passed = [1, 2, 3, 5, 4, 6, 7].map((at) => ordered.add([secondOf(at)], 1e15).map(({ atMs }) => atMs / 1000));
  expect(passed).toEqual([[], [1, 2], [3], [], [4, 5], [6], [7]]);
  expect(ordered.leftOut().size).toBe(0);
  const early = new OrderedSamples();
  expect(early.add([1, 2, 3].map(secondOf), 2000)).toHaveLength(2);
  expect(early.until(3000)).toHaveLength(1);
});

interface Arrival {
  readonly sample: Sample;
  readonly atMs: number;
}

/** Most come as they should, some late, some very late, some twice. */
function arrivals(samples: readonly Sample[], random: () => number): readonly Arrival[] {
  const delay = () => (random() < 0.8 ? 300 * random() : 4000 * random());
  const all = samples.flatMap((sample) => {
    const first = { sample, atMs: sample.atMs + delay() };
    return random() < 0.05 ? [first, { sample, atMs: sample.atMs + 5000 * random() }] : [first];
  });
  return all.sort((a, b) => a.atMs - b.atMs);
}

/** Everything that a record holds of samples, and the verdict. */
function told(input: JudgeInput): string {
  const { probes, samples, evidence, window } = input;
  const measured = measuredOf(input);
  const streams = measured?.streams.map(({ summary }) => summary);
  return JSON.stringify({
    streams,
    verdict: judge(input, measured),
    load: loadSummary({ probes, samples, evidence, window }),
  });
}

interface Live {
  readonly intake: SampleIntake;
  readonly stored: readonly Sample[];
  readonly window: NonNullable<JudgeInput['window']>;
}

/**
 * As the conductor takes samples in: it looks whenever the trial may be decided, and may end the window at any time.
 */
function takenIn(trial: JudgeInput, came: readonly Arrival[], startMs: number, endsMs: number, steers: boolean): Live {
  const participants = trial.probes.map(({ participant }) => participant);
  const stored: Sample[] = [];
  const plan = aPlan(steers ? { strategy: 'ramp' } : {});
  const intake = new SampleIntake(participants, plan, (samples) => stored.push(...samples));
  const plannedMs = startMs + trial.timing.measureMs;
  const endMs = Math.min(endsMs, plannedMs);
  const steps: (readonly [atMs: number, work: () => void])[] = [
    [joinedMs(trial) ?? startMs, () => intake.joined(joinedMs(trial) ?? Number.NEGATIVE_INFINITY)],
    [startMs, () => intake.windowBegan(judgedWindow(trial, startMs))],
    ...decisionMoments(trial.timing.measureMs)
      .filter((momentMs) => startMs + momentMs <= endMs)
      .map((momentMs) => {
        const look = () => {
          intake.passUntil(startMs + momentMs);
          intake.windowGoesOn(startMs + momentMs);
        };
        return [startMs + momentMs + 750, look] as const;
      }),
    [endMs, () => intake.windowEnded(endMs)],
    [endMs + 750, () => intake.passUntil(endMs + 750)],
    ...came.map(({ sample, atMs }) => [atMs, () => intake.add([sample], atMs)] as const),
  ];
  for (const [, work] of steps.sort(([a], [b]) => a - b)) work();
  intake.passUntil(Number.POSITIVE_INFINITY);
  return { intake, stored, window: { startMs, endMs } };
}

/** From the file, of which the window is known before. */
function foldedAgain(trial: JudgeInput, { stored, window }: Live, steers: boolean): SampleFold {
  const fold = new SampleFold(
    trial.probes.map(({ participant }) => participant),
    steers,
    joinedMs(trial) ?? Number.NEGATIVE_INFINITY,
  );
  fold.begin({ ...judgedWindow(trial, window.startMs), endMs: window.endMs });
  for (const sample of stored) fold.add(sample);
  expect(fold.isInOrder).toBe(true);
  return fold;
}

const trials = times(80, 300);
const sameAgain =
  'random trials whose samples come in any order, late and twice are judged as they are judged again, to the byte';
test(`${trials} ${sameAgain}`, both, () => {
  const kinds = new Set<string>();
  for (let seed = 1; seed <= trials; seed += 1) {
    const random = randomFrom(seed);
    const steers = seed % 5 === 0;
    const whole = randomTrial(seed);
    const firstMs = whole.window?.startMs ?? 0;
    // What comes before the window leads to it.
    const startMs = firstMs + 1000 * Math.floor(8 * random());
    const events: JudgeInput['events'] = [
      ...whole.events,
      { type: 'phase', atMs: firstMs - 1000, phase: 'join' },
      { type: 'phase', atMs: startMs - 1000 * Math.floor(3 * random()), phase: 'settle' },
    ];
    const trial: JudgeInput = { ...whole, events, steers, timing: { ...whole.timing, measureMs: 16_000 } };
    const endsMs = random() < 0.4 ? startMs + 1000 * Math.ceil(16 * random()) : Number.POSITIVE_INFINITY;
    const came = arrivals(whole.samples, random);
    const live = takenIn(trial, came, startMs, endsMs, steers);
    const of = (samples: TrialSamples) => told({ ...trial, samples, window: live.window });
    const once = of(live.intake.fold);
    expect(of(foldedAgain(trial, live, steers)), `seed ${seed}`).toBe(once);
    expect(of(live.stored), `seed ${seed}, from a list`).toBe(once);
    const leftOut = [...(live.intake.leftOut() ?? '').matchAll(/(\d+) of \w+/g)].map(([, count]) => Number(count));
    expect(live.stored.length + leftOut.reduce((sum, count) => sum + count, 0), `seed ${seed}`).toBe(came.length);
    kinds.add(judge({ ...trial, samples: live.intake.fold, window: live.window }).kind);
  }
  expect([...kinds].sort()).toEqual(['stable', 'unstable', 'void']);
});

test('random trials are judged by other limits from a fold as from a list of samples', () => {
  const kinds = new Set<string>();
  for (let seed = 1; seed <= 80; seed += 1) {
    const whole = randomTrial(seed);
    const { window } = whole;
    if (!window) continue;
    const thresholds = { ...whole.thresholds, videoLossPercentMax: 0.2, framesPercentOfBaselineMin: 97, rttMsMax: 40 };
    const trial: JudgeInput = { ...whole, thresholds };
    const fold = new SampleFold(trial.probes.map(({ participant }) => participant));
    fold.begin({ ...judgedWindow(trial, window.startMs), endMs: window.endMs });
    for (const sample of [...(whole.samples as readonly Sample[])].sort((a, b) => a.atMs - b.atMs)) fold.add(sample);
    expect(told({ ...trial, samples: fold }), `seed ${seed}`).toBe(told(trial));
    kinds.add(judge(trial).kind);
  }
  expect([...kinds].sort()).toEqual(['stable', 'unstable', 'void']);
});

test('media that goes over TCP is told, for the loss of its network is not seen there', () => {
  const intake = new SampleIntake([], aPlan(), () => undefined);
  const sample = (probe: string, protocol: string) => ({
    ...aSample(probe, 1),
    legs: [{ leg: probe, connectionState: 'connected' as const, protocol }],
  });
  intake.add([sample('1a', 'udp')], 1000);
  expect(intake.overTcp()).toBeUndefined();
  intake.add([sample('1b', 'tcp'), sample('2a', 'tcp')], 2000);
  expect(intake.overTcp()).toMatch(/^1b and 1 more probes reached .* over TCP/);
});
