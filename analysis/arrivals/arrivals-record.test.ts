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
