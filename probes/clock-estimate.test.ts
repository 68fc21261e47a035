import { expect, test } from '@playwright/test';
import { randomFrom } from '../tests/random.js';
import { ClockEstimate } from './clock-estimate.js';

test('a clock that is ahead, drifts, and answers over an uneven way is known to within its bound at any time', () => {
  const chance = randomFrom(20);
  const wrong: string[] = [];
  for (let story = 0; story < 20; story += 1) {
    const estimate = new ClockEstimate();
    const [startsAheadMs, drift] = [(chance() - 0.5) * 20_000, (chance() - 0.5) * 400e-6];
    const aheadMs = (atMs: number) => startsAheadMs + atMs * drift;
    for (let atMs = 0; atMs < 200_000; atMs += 1000) {
      const [thereMs, backMs] = [chance() * 80, chance() * 80];
      const shownMs = Math.round(atMs + thereMs + aheadMs(atMs + thereMs));
      estimate.add({ askedAtMs: Math.floor(atMs), answeredAtMs: Math.floor(atMs + thereMs + backMs), shownMs });
      const clock = estimate.clock(atMs + 500);
      const offMs = Math.abs((clock?.offsetMs ?? 0) + aheadMs(atMs + 500));
      if (offMs > (clock?.boundMs ?? 0) + 1) wrong.push(`story ${story}, ${atMs} ms: off by ${offMs} ms`);
    }
    expect(estimate.clock(200_000)?.boundMs).toBeLessThan(80);
  }
  expect(wrong).toEqual([]);
});

test('a drift is told to within its bound when there was time to see it, and not before', () => {
  const chance = randomFrom(21);
  const wrong: string[] = [];
  for (const ppm of [-300, 0, 200]) {
    const estimate = new ClockEstimate();
    for (let atMs = 0; atMs <= 600_000; atMs += 1000) {
      const [thereMs, backMs] = [chance() * 20, chance() * 20];
      const shownMs = Math.round(7000 + (atMs + thereMs) * (1 + ppm / 1e6));
      estimate.add({ askedAtMs: Math.floor(atMs), answeredAtMs: Math.ceil(atMs + thereMs + backMs), shownMs });
      const { drift } = estimate.clock(atMs) ?? {};
      const tooEarly = drift !== undefined && atMs < 10_000;
      if (tooEarly || (drift && Math.abs(drift.ppm - ppm) > drift.boundPpm)) {
        wrong.push(`${ppm} ppm, ${atMs} ms: ${drift.ppm} ± ${drift.boundPpm}`);
      }
    }
    expect(estimate.clock(600_000)?.drift?.boundPpm).toBeLessThan(60);
  }
  expect(wrong).toEqual([]);
});

test('the shortest exchange says most, and none says nothing', () => {
  const estimate = new ClockEstimate();
  expect(estimate.clock(0)).toBeUndefined();
  estimate.add({ askedAtMs: 0, answeredAtMs: 200, shownMs: 1100 });
  expect(estimate.clock(200)).toEqual({ offsetMs: -1000, boundMs: 101 });
  estimate.add({ askedAtMs: 1000, answeredAtMs: 1002, shownMs: 2031 });
  expect(estimate.clock(1002)).toEqual({ offsetMs: -1030, boundMs: 2 });
});

test('a clock that is set is at first known to within that step, and then by what it shows', () => {
  const estimate = new ClockEstimate();
  estimate.add({ askedAtMs: 0, answeredAtMs: 2, shownMs: 1 });
  estimate.add({ askedAtMs: 1000, answeredAtMs: 1002, shownMs: 4001 });
  expect(estimate.clock(1002)).toEqual({ offsetMs: -3000, boundMs: 3002 });
  estimate.add({ askedAtMs: 2000, answeredAtMs: 2002, shownMs: 5001 });
  expect(estimate.clock(2002)).toEqual({ offsetMs: -3000, boundMs: 2 });
});
