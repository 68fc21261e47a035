import { queueGrowth, waitsInParts } from '../../analysis/arrivals/queue-growth.js';
import { faultPatterns } from '../../analysis/correlation/correlation.js';
import { frozenTogether } from '../../analysis/measure/frozen-together.js';
import { ratePerSecondAt } from '../../analysis/statistics/erlang.js';
import { seededRandom } from '../../model/seeded-random.js';
import type { TrialRecord } from '../../model/trial.js';
import type { Covered } from './statement.js';

type Random = () => number;
const waitUntilNext = (random: Random) => -Math.log(1 - random());

/**
 * Pictures that stand still for just as long as the limit allows, by freezes that come by chance, each as long as
 * `length` says. Only repeats of a limit are looked at that passed: one freeze in a short window is excused.
 */
function freezes(conditions: string, length: (random: Random) => number, trials: number, rounds: number): Covered {
  const [limitPercent, windowMs] = [2, 20_000];
  const random = seededRandom(5);
  const meanMs = mean(Array.from({ length: 4000 }, () => length(random)));
  const eachMs = meanMs / (limitPercent / 100);
  let held = 0;
  for (let round = 0; round < rounds; round += 1) {
    const streams = Array.from({ length: trials }, () => {
      const here: number[] = [];
      for (let at = eachMs * waitUntilNext(random); at < windowMs; at += eachMs * waitUntilNext(random))
        here.push(length(random));
      const frozenMs = here.reduce((all, one) => all + one, 0);
      return { values: { frozenMs, longestFreezeMs: Math.max(0, ...here) }, readMs: windowMs };
    });
    const together = frozenTogether(streams, limitPercent);
    if (!(together && together.chance <= 0.05 && together.percent > limitPercent)) held += 1;
  }
  return {
    statement: '"more than chance explains", of repeats that stood still',
    conditions,
    said: '95 %',
    held,
    of: rounds,
  };
}

/** Failing probes drawn blindly: in how many runs nothing is said of what they share. */
function patterns(conditions: string, calls: number, trials: number, rounds: number): Covered {
  const random = seededRandom(6);
  let held = 0;
  for (let round = 0; round < rounds; round += 1) {
    const records = Array.from({ length: trials }, () => blindTrial(calls, 0.05 + 0.4 * random(), random));
    if (records.every((record) => faultPatterns(record, trials).length === 0)) held += 1;
  }
  return { statement: '"blind faults would look so in 1 of 20 runs"', conditions, said: '95 %', held, of: rounds };
}

/** Calls of two, four probes on a page, two pages in a browser, on two networks. */
function blindTrial(calls: number, share: number, random: Random): TrialRecord {
  const probes = Array.from({ length: 2 * calls }, (_, nth) => ({
    participant: {
      id: `${nth}`,
      session: `${nth >> 1}`,
      role: nth % 2 === 0 ? 'first' : 'second',
      network: `${(nth >> 1) % 2}`,
    },
    browser: nth >> 3,
    page: nth >> 2,
  }));
  const reasons = probes.flatMap(({ participant: { id } }) =>
    random() < share ? [{ code: 'frozen', probe: id, text: '' }] : [],
  );
  return { probes, verdict: { kind: 'unstable', reasons, thresholds: [] } } as unknown as TrialRecord;
}

/** One server that takes 50 ms by chance, at a rate that it holds: a queue is said to grow. */
function queues(share: number, rounds: number): Covered {
  const random = seededRandom(7);
  let held = 0;
  for (let round = 0; round < rounds; round += 1) {
    const joins: { dueMs: number; waitMs: number }[] = [];
    let [at, free] = [0, 0];
    while (at < 80_000) {
      at += (50 / share) * waitUntilNext(random);
      free = Math.max(free, at) + 50 * waitUntilNext(random);
      joins.push({ dueMs: at, waitMs: free - at });
    }
    const waits = waitsInParts(
      joins.filter(({ dueMs }) => dueMs >= 20_000 && dueMs < 80_000),
      { startMs: 20_000, endMs: 80_000 },
    );
    if (!queueGrowth(waits, 60_000)) held += 1;
  }
  const conditions = `a server at ${100 * share} % of what it takes on, all by chance, 60 s`;
  return { statement: '"the queue grows"', conditions, said: '99.9 %', held, of: rounds };
}

/** Who comes by chance and finds room, at the rate that is told. */
function places(conditions: string, stay: (random: Random) => number, count: number, arrivals: number): Covered {
  const random = seededRandom(8);
  const gap = 1 / ratePerSecondAt(0.01, count, 1000);
  const ends = new Array<number>(count).fill(0);
  let [at, held, of] = [0, 0, 0];
  for (let nth = 0; nth < arrivals; nth += 1) {
    at += gap * waitUntilNext(random);
    const place = ends.findIndex((end) => end <= at);
    if (place >= 0) ends[place] = at + stay(random);
    if (at < 20) continue;
    of += 1;
    if (place >= 0) held += 1;
  }
  return { statement: `"would find room, but for 1 %", of ${count} places`, conditions, said: '99 %', held, of };
}

const mean = (values: readonly number[]) => values.reduce((all, one) => all + one, 0) / values.length;

export function ofTrials(rounds: number): Covered[] {
  return [
    freezes('truly at the limit, freezes of 0.5 s, 3 trials of 20 s', () => 500, 3, 5 * rounds),
    freezes('the same, of 0.2 to 2 s, 9 trials', (random) => 200 * 10 ** random(), 9, 5 * rounds),
    patterns('faults are blind, 12 calls, 1 failed trial', 12, 1, rounds),
    patterns('the same, 40 calls, 6 failed trials', 40, 6, rounds),
    queues(0.9, rounds),
    queues(0.98, rounds),
    places('stays by chance', waitUntilNext, 17, 200 * rounds),
    places('stays all as long', () => 1, 17, 200 * rounds),
  ];
}
