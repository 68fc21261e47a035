import { expect, test } from '@playwright/test';
import type { ThresholdResult } from '../../model/verdict.js';
import { clearlyStable, marginsOf } from './screening.js';

const at = (usedPercent: number, threshold = 'jitter') => ({ threshold, label: threshold, usedPercent });

const jitter = (worst: number | null): ThresholdResult => ({
  id: { of: 'stream', aggregate: 'jitterMs', kind: 'audio', comparison: 'at-most' },
  code: 'jitter',
  label: 'jitter, mean',
  limitText: '≤ 30 ms',
  unit: 'ms',
  limit: 30,
  comparison: 'at-most',
  worst,
  passed: worst !== null && worst <= 30,
});

test('clear is what used at most half of its limit twice, and would stay there if it rose on', () => {
  expect(clearlyStable([at(20)], [at(22)])).toEqual(at(22));
  expect(clearlyStable([at(20), at(10, 'loss')], [at(22), at(40, 'loss')])).toBeUndefined();
  expect(clearlyStable([at(30)], [at(45)])).toBeUndefined();
  expect(clearlyStable([at(51)], [at(20)])).toBeUndefined();
});

test('nothing is clear at the first look, without values, or where one was missing the time before', () => {
  expect(clearlyStable([], [at(5)])).toBeUndefined();
  expect(clearlyStable([], [])).toBeUndefined();
  expect(clearlyStable([at(5)], [at(5), at(5, 'loss')])).toBeUndefined();
});

test('a value that is absent or beyond its limit is never a margin', () => {
  expect(marginsOf([jitter(15)])).toMatchObject([{ label: 'jitter, mean', usedPercent: 50 }]);
  expect(marginsOf([jitter(15), jitter(null)])).toBeUndefined();
  expect(marginsOf([jitter(31)])).toBeUndefined();
});

test('a limit of zero is clear at zero, and times to join are known from the start', () => {
  expect(marginsOf([{ ...jitter(0), limit: 0 }])).toMatchObject([{ usedPercent: 0 }]);
  const join = { ...jitter(29), id: { of: 'join', time: 'time', statistic: 'max' } } as const;
  expect(marginsOf([join])).toMatchObject([{ usedPercent: 0 }]);
});
