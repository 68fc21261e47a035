import { expect, test } from '@playwright/test';
import type { TrialOutcome } from '../../model/run.js';
import type { Used } from '../../model/used.js';
import { forecasts } from './foresight.js';

const stable = (size: number, ...used: Used[]): TrialOutcome => ({ size, verdict: 'stable', used });
const unstable = (size: number, ...used: Used[]): TrialOutcome => ({ size, verdict: 'unstable', used });
const cpu = (amount: number, available?: number): Used => ({
  what: 'server-cpu',
  amount,
  ...(available === undefined ? {} : { available }),
});

test('from two trials on, what a session takes and what there is say where the limit is', () => {
  const [first, ...others] = forecasts([stable(1, cpu(0.143, 2)), stable(4, cpu(0.272, 2))]);
  expect(others).toEqual([]);
  expect(first?.size).toBeCloseTo((1.9 - 0.1) / 0.043);
  expect(first?.text).toBe('0.043 cores of the server each, 1.9 of them can be used: about 41');
});

test('one size alone, what does not rise, and what nobody knows the amount of, foresee nothing', () => {
  expect(forecasts([stable(4, cpu(0.2, 2)), stable(4, cpu(0.3, 2))])).toEqual([]);
  expect(forecasts([stable(1, cpu(0.2, 2)), stable(8, cpu(0.2, 2))])).toEqual([]);
  expect(forecasts([stable(1, cpu(0.1)), stable(8, cpu(0.8))])).toEqual([]);
  expect(forecasts([stable(1), stable(8), { size: 16, verdict: 'void' }])).toEqual([]);
});

test('a failing trial that took clearly less than so many sessions take shows how much there is', () => {
  const history = [stable(1, cpu(0.122)), stable(2, cpu(0.179)), unstable(8, cpu(0.249))];
  expect(forecasts(history)[0]?.size).toBeCloseTo((0.249 - 0.065) / 0.057);
  expect(forecasts([...history.slice(0, 2), unstable(8, cpu(0.51))])).toEqual([]);
});

test('a threshold is followed along its trend, once it is well on its way', () => {
  const at = (size: number, usedPercent: number): TrialOutcome => ({
    size,
    verdict: 'stable',
    margins: [{ threshold: 'jitter', label: 'jitter, mean', usedPercent }],
  });
  expect(forecasts([at(4, 20), at(8, 40)])[0]?.size).toBeCloseTo(20);
  expect(forecasts([at(4, 20), at(8, 40)])[0]?.text).toBe(
    'jitter, mean was at 20 % of its limit with 4, 40 % with 8: about 20',
  );
  expect(forecasts([at(4, 5), at(8, 10)])).toEqual([]);
});

test('of several, the nearest comes first', () => {
  const egress = (amount: number): Used => ({ what: 'egress', amount, available: 3 });
  const history = [stable(1, cpu(0.1, 2), egress(1)), stable(2, cpu(0.2, 2), egress(2))];
  expect(forecasts(history).map(({ size }) => Math.round(size))).toEqual([3, 19]);
});
