import { expect, test } from '@playwright/test';
import { findLimit } from '../../trial/find-limit.js';
import { aPlan, aSimulatedRun } from '../simulated-run.js';
import { webinar } from './webinar.js';

const never = new AbortController().signal;

test('a scenario that nobody knows is searched, counted in its unit, and its speakers stay out of the size', async () => {
  const { parts } = aSimulatedRun({ scenario: webinar, capacity: 5, seed: 3 });
  const plan = aPlan({ max: 12 }, { measureMs: 12_000, settleMs: 12_000, pacePerSecond: 20 });
  const result = await findLimit({ plan: { ...plan, scenario: webinar.name }, scenario: webinar }, parts, never);
  expect(result).toMatchObject({ outcome: 'found', limit: { stable: 5, unstable: 6 }, unit: 'listeners' });
  expect(result.probesAtLimit).toBe(7);
});
