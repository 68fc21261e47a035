import { expect, test } from '@playwright/test';
import { arrivalTimes } from '../../analysis/arrivals/arrival-times.js';
import { leastVisibleGrowth, queueGrowth, waitsInParts } from '../../analysis/arrivals/queue-growth.js';
import { arrivalsSentences } from '../../analysis/report/arrivals-section.js';
import { chanceOfSignedRanks } from '../../analysis/statistics/permutation.js';
import { both, times } from '../effort.js';
import { randomFrom } from '../random.js';
import { Queue } from './queue-server.js';
import { queuedTrial } from './queued-trial.js';

const fixed = (ms: number) => () => ms;

test('the signed-rank test has the chances of its printed table', () => {
  expect(chanceOfSignedRanks([1, 2, 3, 4, 5])).toBe(1 / 32);
  expect(chanceOfSignedRanks([-1, 2, 3, 4, 5])).toBe(2 / 32);
  // Of 13 steps, a rank sum of 4 against is seen by chance in 7 of 8192: {}, 1, 2, 3, 4, 1 + 2, 1 + 3.
  expect(chanceOfSignedRanks([1, 2, 3, -4, 5, 6, 7, 8, 9, 10, 11, 12, 13])).toBe(7 / 8192);
  expect(chanceOfSignedRanks([0, 0])).toBe(1);
});

test('a rate 2.5 % above what the server takes on is no stable one, though nobody waits too long yet', async () => {
  // Ten calls a second are twenty offers, of 51.25 ms each: 1.025 of a server. After 3 s and 10 s some 325 ms are
  // waited.
  const { record } = await queuedTrial({
    size: 10,
    queue: { serviceMs: fixed(51.25) },
    arrivals: { holdMs: 3000 },
    measureMs: 10_000,
  });
  expect(record.verdict.thresholds.map(({ passed }) => passed)).toEqual([true, true]);
  expect(record.verdict).toMatchObject({ kind: 'unstable', reasons: [{ code: 'queue-growing' }] });
  expect(record.verdict.reasons[0]?.measured).toBeCloseTo(25, -1);
});

test('how fast a queue grows is told over the time of the window, whose last second may be a part of one', async () => {
  const measureMs = 8200;
  const queue = { serviceMs: fixed(60) };
  const { record } = await queuedTrial({ size: 10, queue, arrivals: { holdMs: 3000 }, measureMs });
  const growing = record.verdict.reasons.find(({ code }) => code === 'queue-growing');
  expect(growing?.measured).toBeCloseTo(queueGrowth(record.arrivals?.waitsMs ?? [], measureMs)?.msPerSecond ?? 0, 6);
});

test('half a percent above is found in a minute, and a server that is full to 99 % is stable', async () => {
  const long = { size: 10, arrivals: { holdMs: 20_000 }, measureMs: 60_000 };
  const above = await queuedTrial({ ...long, queue: { serviceMs: fixed(50.25) } });
  expect(above.record.verdict.reasons.map(({ code }) => code)).toEqual(['queue-growing']);
  const below = await queuedTrial({ ...long, queue: { serviceMs: fixed(49.5) } });
  expect(below.record.verdict.kind).toBe('stable');
});

test('it is said how little above its limit a rate would have been seen, and where nothing could have been', async () => {
  const { record, plan } = await queuedTrial({ size: 5, queue: { serviceMs: fixed(40) }, measureMs: 20_000 });
  const said = (one: typeof record) => arrivalsSentences({ manifest: { plan }, records: [one] } as never, 5);
  expect(said(record).join(' ')).toMatch(/No queue grows, as far as the window shows: a rate 0\.1\d* % above/);
  const few = await queuedTrial({
    size: 1,
    queue: { serviceMs: fixed(40) },
    measureMs: 6000,
    arrivals: { perMs: 2000 },
  });
  expect(arrivalsSentences({ manifest: { plan: few.plan }, records: [few.record] } as never, 1).join(' ')).toContain(
    'Too few came in the window to see whether a queue grows',
  );
});

/** The parts of one window of a queue with one server, 50 ms in the mean, at this share of what it takes on. */
function waits(
  share: number,
  seed: number,
  { leadMs, windowMs }: { readonly leadMs: number; readonly windowMs: number },
) {
  const random = randomFrom(seed);
  const queue = new Queue({ serviceMs: () => -50 * Math.log(1 - random()) });
  const overMs = leadMs + windowMs;
  const due = arrivalTimes({ process: 'poisson', count: Math.round((share * overMs) / 50), overMs, seed });
  const all = due.map((dueMs) => ({ dueMs, waitMs: (queue.answerAtMs(dueMs) ?? 0) - dueMs }));
  return waitsInParts(all, { startMs: leadMs, endMs: overMs });
}

test(
  'at rates that a server holds, by chance and with service by chance, next to no queue is called growing',
  both,
  () => {
    const rounds = times(400, 1000);
    for (const times of [
      { leadMs: 3000, windowMs: 10_000 },
      { leadMs: 20_000, windowMs: 60_000 },
    ]) {
      for (const share of [0.5, 0.9, 0.98]) {
        const grown = Array.from({ length: rounds }, (_, seed) => waits(share, seed, times)).filter(
          (one) => queueGrowth(one, times.windowMs) !== undefined,
        );
        expect([share, grown.length <= rounds / 200]).toEqual([share, true]);
      }
    }
  },
);

test('three in ten above what it takes on is found though both come and are served by chance', () => {
  const times = { leadMs: 20_000, windowMs: 60_000 };
  const found = Array.from({ length: 60 }, (_, seed) => queueGrowth(waits(1.3, seed, times), times.windowMs));
  expect(found.filter((one) => one !== undefined).length).toBeGreaterThanOrEqual(57);
  expect(leastVisibleGrowth(waits(0.5, 1, times), times.windowMs)).toBeGreaterThan(1);
});
