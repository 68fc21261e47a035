import { expect, test } from '@playwright/test';
import type { ThresholdResult } from '../../model/verdict.js';
import { nearestLimit, usedPercentOf } from './summary.js';

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
