import { expect, test } from '@playwright/test';
import type { ThresholdResult } from '../../model/verdict.js';
import { aRecord } from '../../tests/stored-run.js';
import { nearestLimit, starvingProbes, usedPercentOf, worstThresholds } from './summary.js';

const row = (limit: number, worst: number): ThresholdResult => ({
  id: { of: 'stream', aggregate: 'lossPercent', kind: 'video', comparison: 'at-most' },
  ...{ code: 'threshold', label: `at most ${limit}`, limitText: `≤ ${limit} %`, unit: '%', limit, worst },
  ...{ comparison: 'at-most', passed: worst <= limit },
});

test('a limit of zero that is met is as far from being crossed as can be, and hides no other that is nearly', () => {
  const rows = [row(0, 0), row(2, 1.9), row(1, 0)].map((one) => ({ ...one, usedPercent: usedPercentOf(one) ?? -1 }));
  expect(rows.map(({ usedPercent }) => usedPercent)).toEqual([0, 95, 0]);
  expect(nearestLimit(rows)?.label).toBe('at most 2');
});

test('a limit from above and one from below on the same value are two thresholds', () => {
  const above = row(900, 450);
  const below: ThresholdResult = {
    ...above,
    id: { ...above.id, comparison: 'at-least' } as never,
    limitText: '≥ 300 %',
  };
  const record = aRecord(1);
  const verdict = { ...record.verdict, kind: 'stable', thresholds: [below, above] } as const;
  expect(worstThresholds([{ ...record, verdict }]).map(({ limitText }) => limitText)).toEqual(['≥ 300 %', '≤ 900 %']);
});

test('what was excused of one stream is not told of the worse one of the same probe', () => {
  const record = aRecord(1);
  const frozen = (frozenPercent: number, longestFreezeMs?: number) => ({
    ...({ probe: '1a', leg: '1a', direction: 'receive', kind: 'video' } as const),
    values: { frozenPercent, frozenMs: frozenPercent * 300, ...(longestFreezeMs ? { longestFreezeMs } : {}) },
  });
  const of = (worst: number): ThresholdResult => ({
    ...row(2, worst),
    id: { of: 'stream', aggregate: 'frozenPercent', kind: 'video', comparison: 'at-most' },
    worstProbe: '1a',
  });
  const measured = (worst: number, streams: ReturnType<typeof frozen>[]) => {
    const verdict = { kind: 'stable', reasons: [], thresholds: [of(worst)] } as const;
    return worstThresholds([{ ...record, verdict, streams }])[0]?.measured;
  };
  // In a window of 30 s one freeze of 1.14 s is judged as of a minute, 1.9 %.
  expect(measured(1.9, [frozen(3.8, 1140)])).toBeCloseTo(3.8, 9);
  expect(measured(1.9, [frozen(1.9), frozen(3.6, 1080)])).toBeUndefined();
});

test('what is said of no probe is told once and first, whatever it counted in each trial, and is no probe', () => {
  const failed = (dropped: number) => {
    const reasons = [
      { code: 'no-media', text: '1a received nothing.', probe: '1a' },
      { code: 'server-drops', text: `It dropped ${dropped} packets.` },
      { code: 'no-media', text: '1b received nothing.', probe: '1b' },
    ] as const;
    return { ...aRecord(1), verdict: { kind: 'unstable', thresholds: [], reasons } } as const;
  };
  const reasons = starvingProbes([failed(919), failed(1036)]);
  expect(reasons.map(({ code, probe }) => probe ?? code)).toEqual(['server-drops', '1a', '1b']);
});
