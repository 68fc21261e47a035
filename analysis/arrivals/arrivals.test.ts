import { expect, test } from '@playwright/test';
import { Queue, type QueueOptions } from '../../tests/arrivals/queue-server.js';
import { randomFrom } from '../../tests/random.js';
import { blockingShare, ratePerSecondAt } from '../statistics/erlang.js';
import { percentile } from '../statistics/statistics.js';
import { arrivalTimes, stayTimes } from './arrival-times.js';
import { countsOf, meanOf, mergedCounts, percentileOf } from './time-histogram.js';

const count = 150_000;

function exponential(meanMs: number, seed: number): () => number {
  const random = randomFrom(seed);
  return () => -meanMs * Math.log(1 - random());
}

/** How long each of those who come by chance at this rate takes, by the queue alone. */
function sojourns(perSecond: number, options: QueueOptions): number[] {
  const queue = new Queue(options);
  const times = arrivalTimes({ process: 'poisson', count, overMs: (1000 * count) / perSecond, seed: 5 });
  return times.map((atMs) => (queue.answerAtMs(atMs) ?? 0) - atMs);
}

const p99 = (times: readonly number[]) => percentileOf(countsOf(times), 99) ?? 0;

test('M/M/1: the p99 is that of theory, to one in twenty', () => {
  // Time in the system is exponential with rate μ − λ (Kleinrock, Queueing Systems I, 3.2).
  const theoryMs = (1000 * Math.log(100)) / (20 - 12);
  expect(Math.abs(p99(sojourns(12, { serviceMs: exponential(50, 1) })) / theoryMs - 1)).toBeLessThan(0.05);
});

test('M/D/1: the p99 is that of theory, to one in twenty', () => {
  const [perMs, serviceMs] = [0.014, 50];
  // Erlang's distribution of the wait, of which the p99 is looked for.
  const waitsAtMost = (t: number): number => {
    let [total, factorial] = [0, 1];
    for (let k = 0; k <= t / serviceMs; k += 1) {
      if (k > 0) factorial *= k;
      const x = perMs * (k * serviceMs - t);
      total += (x ** k / factorial) * Math.exp(-x);
    }
    return (1 - perMs * serviceMs) * total;
  };
  let theoryMs = 0;
  while (waitsAtMost(theoryMs) < 0.99) theoryMs += 0.5;
  const seen = p99(sojourns(14, { serviceMs: () => serviceMs }));
  expect(Math.abs(seen / (theoryMs + serviceMs) - 1)).toBeLessThan(0.05);
});

test('M/M/c: the p99 of waiting is that of theory, to one in twenty', () => {
  const [servers, perSecond, each] = [4, 70, 25];
  const offered = perSecond / each;
  const blocked = blockingShare(offered, servers);
  // Erlang C from Erlang B: the share who wait; those who do wait exponentially with rate cμ − λ.
  const waits = blocked / (1 - (offered / servers) * (1 - blocked));
  const theoryMs = (1000 * Math.log(waits / 0.01)) / (servers * each - perSecond);
  const service = exponential(1000 / each, 2);
  let last = 0;
  const serviceMs = () => {
    last = service();
    return last;
  };
  const queue = new Queue({ serviceMs, servers });
  const times = arrivalTimes({ process: 'poisson', count, overMs: (1000 * count) / perSecond, seed: 5 });
  const seen = p99(times.map((atMs) => (queue.answerAtMs(atMs) ?? 0) - last - atMs));
  expect(Math.abs(seen / theoryMs - 1)).toBeLessThan(0.05);
});

test('a client that waits for each answer sees a pause once, and tells a hundredth of what those who were due had', () => {
  const paused = { serviceMs: () => 10, pause: { everyMs: 30_000, lastsMs: 2000 } };
  const open = new Queue(paused);
  const due = arrivalTimes({ process: 'constant', count: 24_000, overMs: 600_000, seed: 1 });
  const openMs = due.map((atMs) => (open.answerAtMs(atMs) ?? 0) - atMs);
  const closed = new Queue(paused);
  const closedMs: number[] = [];
  for (let nowMs = 0; nowMs < 600_000; ) {
    const answeredMs = closed.answerAtMs(nowMs) ?? 0;
    closedMs.push(answeredMs - nowMs);
    // As often as the others, unless an answer is late: then the next is sent late, and the wait is forgotten.
    nowMs = Math.max(nowMs + 25, answeredMs);
  }
  expect(percentile(closedMs, 99)).toBe(10);
  expect(p99(openMs)).toBeGreaterThan(1500);
});

test('a size is exactly its rate, whatever the process, and fractions are rates, too', () => {
  for (const process of ['constant', 'poisson'] as const) {
    const times = arrivalTimes({ process, count: 15, overMs: 30_000, seed: 9 });
    expect(times).toHaveLength(15);
    expect([...times].sort((a, b) => a - b)).toEqual(times);
    expect(times.every((atMs) => atMs >= 0 && atMs < 30_000)).toBe(true);
  }
  expect(arrivalTimes({ process: 'constant', count: 3, overMs: 6000, seed: 0 })).toEqual([0, 2000, 4000]);
});

test('those who come by chance come as a Poisson process: gaps vary as much as they last', () => {
  const times = arrivalTimes({ process: 'poisson', count: 50_000, overMs: 5_000_000, seed: 4 });
  const gaps = times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0));
  const meanMs = gaps.reduce((total, gap) => total + gap, 0) / gaps.length;
  const variance = gaps.reduce((total, gap) => total + (gap - meanMs) ** 2, 0) / gaps.length;
  expect(meanMs).toBeCloseTo(100, 0);
  expect(Math.sqrt(variance) / meanMs).toBeCloseTo(1, 1);
  expect(times).toEqual(arrivalTimes({ process: 'poisson', count: 50_000, overMs: 5_000_000, seed: 4 }));
});

test('exponential stays have their mean, constant ones are all the same', () => {
  const stays = stayTimes({ stay: 'exponential', holdMs: 20_000, seed: 2 }, 50_000);
  expect(stays.reduce((total, ms) => total + ms, 0) / stays.length / 20_000).toBeCloseTo(1, 1);
  expect(stayTimes({ stay: 'constant', holdMs: 500, seed: 2 }, 2)).toEqual([500, 500]);
});

test('every percentile of a histogram is within one in a hundred of the value itself, merged or not', () => {
  const random = randomFrom(8);
  const times = Array.from({ length: 20_000 }, () => 0.1 * 10 ** (6 * random()));
  const whole = countsOf(times);
  const merged = mergedCounts([countsOf(times.slice(0, 777)), countsOf([]), countsOf(times.slice(777))]);
  for (const percent of [0.1, 1, 25, 50, 90, 99, 99.9, 100]) {
    const exact = percentile(times, percent) ?? 0;
    expect(Math.abs((percentileOf(whole, percent) ?? 0) / exact - 1)).toBeLessThanOrEqual(0.01 + 1e-9);
    expect(percentileOf(merged, percent)).toBe(percentileOf(whole, percent));
  }
  expect(whole.maxMs).toBe(Math.max(...times));
  expect(whole.buckets.length).toBeLessThan(700);
});

test('of nothing there is no percentile, and no time below zero', () => {
  expect(percentileOf(countsOf([]), 99)).toBeUndefined();
  expect(meanOf(countsOf([]))).toBeUndefined();
  expect(countsOf([-1]).minMs).toBe(0);
});

test('Erlang B gives what its published tables have, and its inverse leads back', () => {
  expect(blockingShare(1, 1)).toBeCloseTo(0.5, 9);
  expect(blockingShare(4.461, 10)).toBeCloseTo(0.01, 4);
  expect(blockingShare(84.06, 100)).toBeCloseTo(0.01, 3);
  expect(ratePerSecondAt(0.01, 10, 20_000) * 20).toBeCloseTo(4.461, 2);
  expect(blockingShare(900, 1000)).toBeGreaterThan(0);
});
