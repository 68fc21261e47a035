import { expect, test } from '@playwright/test';
import type { ArrivedJoin } from '../../model/join.js';
import { arrivalsRecord } from './arrivals-record.js';
import { percentileOf } from './time-histogram.js';

const window = { startMs: 0, endMs: 1000 };
const seen = { sessionsPerSecond: 1, window, stays: [], areBrowsers: false };
const join = (dueMs: number, begunMs: number, answeredMs: number): ArrivedJoin => ({
  ...{ participant: '1a', session: '1', dueMs, begunMs, answeredMs },
  endedMs: answeredMs,
});

test('of several processes whose timers are watched the latest one is told, however many others are in time', () => {
  const inTime = Array.from({ length: 99 }, () => Array.from({ length: 50 }, () => 1));
  const late = Array.from({ length: 50 }, () => 40);
  const { asleep } = arrivalsRecord({
    ...seen,
    dueMs: new Map(),
    joins: [],
    asleepMs: [...inTime, late],
  });
  expect(percentileOf(asleep, 99)).toBeCloseTo(40, 0);
});

test('who was begun before it was due, by a host whose clock drifts, is told with all the time that it waited', () => {
  const dueMs = new Map([['1a', 100]]);
  const answerOf = (begunMs: number) =>
    percentileOf(arrivalsRecord({ ...seen, dueMs, joins: [join(100, begunMs, 150)], asleepMs: [] }).answer, 50);
  expect(answerOf(100)).toBeCloseTo(50, 0);
  expect(answerOf(70)).toBeCloseTo(80, 0);
  expect(answerOf(120)).toBeCloseTo(50, 0);
});

test('who waits in vain for the first frame is in the times to it, and who fails at once is not', () => {
  const joins = Array.from({ length: 600 }, (_, nth): ArrivedJoin => {
    const came = { ...join(0, 0, 100), participant: `${nth}a`, describedMs: 50, iceMs: 200, connectedMs: 300 };
    if (nth % 10 > 0) return { ...came, firstFrameMs: 800, endedMs: 800 };
    return { ...came, endedMs: 10_000, failure: { code: 'no-media', detail: 'connected, but no video' } };
  });
  const crashed = joins.map((one) =>
    one.firstFrameMs ? one : { ...one, failure: { code: 'page-crashed', detail: '' } },
  );
  const dueMs = new Map(joins.map(({ participant }) => [participant, 0]));
  const recordOf = (those: readonly ArrivedJoin[]) =>
    arrivalsRecord({ ...seen, dueMs, joins: those, asleepMs: [], areBrowsers: true });
  const { connected, firstFrame, steps } = recordOf(joins);
  expect(firstFrame && [90, 95, 100].map((percent) => percentileOf(firstFrame, percent))).toEqual([
    expect.closeTo(800, -2),
    expect.closeTo(10_000, -3),
    10_000,
  ]);
  expect(connected?.maxMs).toBe(300);
  expect(steps.media?.count).toBe(600);
  expect(recordOf(crashed as readonly ArrivedJoin[]).firstFrame).toMatchObject({ count: 540, maxMs: 800 });
});

test('who is there at a time is counted whenever they are, and not at the middle of a second', () => {
  const stay = (inMs: number, outMs: number) => ({ party: `${inMs}`, inMs, outMs, endedMs: outMs });
  const presentIn = (...stays: readonly ReturnType<typeof stay>[]) =>
    arrivalsRecord({
      ...seen,
      window: { startMs: 1000, endMs: 5000 },
      dueMs: new Map(),
      joins: [],
      asleepMs: [],
      stays,
    });
  expect(presentIn(stay(1010, 3210), stay(3010, 5210))).toMatchObject({
    presentMax: 2,
    presentMean: (2200 + 1990) / 4000,
  });
  expect(presentIn(stay(0, 2000), stay(2000, 9000), stay(0, 900), stay(5000, 6000))).toMatchObject({
    presentMax: 1,
    presentMean: 1,
  });
});
