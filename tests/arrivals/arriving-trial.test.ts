import { expect, test } from '@playwright/test';
import { percentileOf } from '../../analysis/arrivals/time-histogram.js';
import { judgeInput } from '../../analysis/judge/judged-trial.js';
import { verdictOfTrial } from '../../analysis/judge/trial-verdict.js';
import { percentile } from '../../analysis/statistics/statistics.js';
import type { TrialRecord } from '../../model/trial.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { findLimit } from '../../trial/find-limit.js';
import { long } from '../effort.js';
import { randomFrom } from '../random.js';
import type { QueueOptions } from './queue-server.js';
import { aPlanByArrivals, byArrivals, queuedParts, queuedTrial } from './queued-trial.js';

const fixed = (ms: number) => () => ms;

function exponential(meanMs: number, seed: number): () => number {
  const random = randomFrom(seed);
  return () => -meanMs * Math.log(1 - random());
}

function arrivalsOf({ arrivals }: TrialRecord) {
  if (!arrivals) throw new Error('the trial has no arrivals');
  return arrivals;
}

const queues: readonly (readonly [name: string, size: number, queue: () => QueueOptions])[] = [
  ['one server with service by chance', 7, () => ({ serviceMs: exponential(50, 11) })],
  ['one server with a fixed service', 9, () => ({ serviceMs: fixed(50) })],
  ['four servers with service by chance', 9, () => ({ serviceMs: exponential(180, 12), servers: 4 })],
  [
    'a server that pauses for 2 s in 30',
    8,
    () => ({ serviceMs: fixed(10), pause: { everyMs: 30_000, lastsMs: 2000 } }),
  ],
];

for (const [nth, [name, size, queue]] of queues.entries()) {
  test(
    `of ${name} the trial tells the p99 that the queue itself has, to one in a hundred`,
    nth === 0 ? {} : long,
    async () => {
      const arrivals = { process: 'poisson', holdMs: 500 } as const;
      const { record, waits } = await queuedTrial({ size, queue: queue(), arrivals, measureMs: 40_000 });
      const { window } = record;
      const exact = [...waits.values()]
        .filter(({ cameMs }) => window && cameMs >= window.startMs && cameMs < window.endMs)
        .map(({ cameMs, answeredMs }) => answeredMs - cameMs);
      const seen = arrivalsOf(record);

      expect(seen.due).toBe(exact.length);
      expect(seen.answered).toBe(exact.length);
      for (const percent of [50, 95, 99]) {
        const ratio = (percentileOf(seen.answer, percent) ?? 0) / (percentile(exact, percent) ?? 0);
        expect(Math.abs(ratio - 1), `p${percent}`).toBeLessThan(0.0101);
      }
    },
  );
}

test('who is due comes, however long those before wait, and is answered after them', async () => {
  const { record } = await queuedTrial({
    size: 10,
    queue: { serviceMs: fixed(100) },
    joinMsMax: 60_000,
    arrivals: { holdMs: 1000 },
  });
  const { seconds, due, begun, late } = arrivalsOf(record);

  expect(due).toBe(400);
  expect(begun).toBe(400);
  expect(seconds.map((second) => second.begun)).toEqual(seconds.map((second) => second.due));
  expect(percentileOf(late, 100)).toBeLessThan(1);
  // Twice as many come as are answered.
  expect(seconds.slice(1).every(({ answered }) => answered === 10)).toBe(true);
  expect(record.verdict).toMatchObject({
    kind: 'unstable',
    reasons: [{ code: 'join-late' }, { code: 'queue-growing' }],
  });
});

test('a server that answers 20 offers a second is found to take 10 calls a second on', async () => {
  const plan = aPlanByArrivals(
    { measureMs: 10_000, arrivals: { holdMs: 1000 } },
    { from: 8, max: 12, confirm: 1, refute: 1 },
  );
  const scenario = byArrivals(oneToOne, plan.load, plan.timing.measureMs);
  const { parts } = queuedParts({ queue: { serviceMs: fixed(50) } });
  const result = await findLimit({ plan, scenario }, parts, new AbortController().signal);

  expect(result.unit).toBe('calls begun per second');
  expect(result).toMatchObject({ outcome: 'found', limit: { stable: 10, unstable: 11 } });
  const failed = result.trials.filter(({ verdict }) => verdict === 'unstable');
  expect(failed.every(({ reasons }) => reasons.some(({ code }) => code === 'join-late'))).toBe(true);
});

test('fractions of a session per second are sizes of a longer span', async () => {
  // The second of the two who begin together waits for the first: a second.
  const also = [{ of: 'join', text: '', time: 'answer', statistic: 'p99', limit: 1500 }] as const;
  const arrivals = { perMs: 10_000, holdMs: 1000 };
  const plan = aPlanByArrivals({ arrivals, measureMs: 40_000, also }, { from: 8, max: 12, confirm: 1, refute: 1 });
  const scenario = byArrivals(oneToOne, plan.load, plan.timing.measureMs);
  const { parts } = queuedParts({ queue: { serviceMs: fixed(500) } });
  const result = await findLimit({ plan, scenario }, parts, new AbortController().signal);

  expect(result.unit).toBe('calls begun per 10 s');
  expect(result.limit).toMatchObject({ stable: 10, unstable: 11 });
});

test('a server that says no and one that lets wait are told apart', async () => {
  const shedding = await queuedTrial({
    size: 15,
    queue: { serviceMs: fixed(100), refusesBeyond: 4 },
    measureMs: 10_000,
  });
  const stalling = await queuedTrial({ size: 5, queue: { serviceMs: fixed(500) }, joinMsMax: 3000, measureMs: 10_000 });

  expect(arrivalsOf(shedding.record)).toMatchObject({ stalled: 0, failed: 0, failures: [{ how: 'refused' }] });
  expect(arrivalsOf(shedding.record).refused).toBeGreaterThan(100);
  expect(shedding.record.verdict.reasons[0]?.text).toContain('were refused');
  expect(arrivalsOf(stalling.record)).toMatchObject({ refused: 0, failed: 0, failures: [{ how: 'stalled' }] });
  expect(stalling.record.verdict.reasons[0]?.text).toContain('got no answer in time');
});

test('who is never answered counts among the slowest, and not as nobody', async () => {
  const { record } = await queuedTrial({ size: 10, queue: { serviceMs: fixed(10_000) }, joinMsMax: 2000 });
  const { answer, due, answered, stalled } = arrivalsOf(record);

  expect(answered + stalled).toBe(due);
  expect(answer.count).toBe(due);
  expect(percentileOf(answer, 50)).toBeCloseTo(2000, -2);
});

test('a generator that begins late makes the trial void, whatever the server did', async () => {
  const late = { size: 5, queue: { serviceMs: fixed(1) } };
  const { record } = await queuedTrial({
    ...late,
    generator: (clock) => ({ nowMs: () => clock.nowMs(), sleep: (ms, signal) => clock.sleep(ms + 200, signal) }),
  });
  expect(record.verdict.kind).toBe('void');
  expect(record.verdict.reasons.map(({ code }) => code)).toEqual(['generator-late', 'generator-late']);
  const { record: onTime } = await queuedTrial(late);
  expect(onTime.verdict.kind).toBe('stable');
});

test('1,000 sessions in a row come and go: each is opened once, and none is left', long, async () => {
  const { record, open, opened } = await queuedTrial({
    size: 40,
    queue: { serviceMs: fixed(1) },
    arrivals: { holdMs: 1000 },
    measureMs: 24_000,
  });

  expect(opened).toHaveLength(1000);
  expect(new Set(opened).size).toBe(1000);
  expect(open.size).toBe(0);
  // Rate by stay: as many are there as come in it.
  expect(arrivalsOf(record).presentMean).toBeCloseTo(40, 0);
  expect(arrivalsOf(record)).toMatchObject({ leftBadly: 0 });
});

test('a trial that is judged again, by what was stored of it, gives the same verdict', async () => {
  const { record, evidence, run } = await queuedTrial({ size: 12, queue: { serviceMs: fixed(50) } });
  const { arrivals, events, window } = JSON.parse(JSON.stringify(record)) as TrialRecord;
  const seen = { baseline: null, probesAsked: 0, probes: [], samples: [], window, evidence, events, arrivals };
  const again = verdictOfTrial({ kind: 'complete' }, true, judgeInput(run, { ...seen, end: { kind: 'complete' } }));

  expect(record.verdict.kind).toBe('unstable');
  expect(again).toEqual(record.verdict);
});

test('exponential stays have their mean, and each trial of a size has arrivals of its own', long, async () => {
  const of = (index: number) =>
    queuedTrial({
      size: 40,
      queue: { serviceMs: fixed(1) },
      arrivals: { holdMs: 1000, stay: 'exponential', process: 'poisson', seed: index },
    });
  const [one, other] = await Promise.all([of(1), of(2)]);

  expect(arrivalsOf(one.record).presentMean).toBeGreaterThan(30);
  expect(arrivalsOf(one.record).presentMean).toBeLessThan(50);
  expect(arrivalsOf(one.record).seconds).not.toEqual(arrivalsOf(other.record).seconds);
});
