import { expect, test } from '@playwright/test';
import { usualPanel } from '../../model/usual-members.js';
import { webinar as seated } from '../../scenarios/webinar.js';
import { findLimit } from '../../trial/find-limit.js';
import { aPlan, aSimulatedRun } from '../simulated-run.js';

const webinar = seated(usualPanel);
const never = new AbortController().signal;

test('a webinar is searched, counted in its viewers, and those who send stay out of the size', async () => {
  const { parts } = aSimulatedRun({ scenario: webinar, capacity: 5, seed: 3 });
  const plan = aPlan({ max: 12 }, { measureMs: 12_000, settleMs: 12_000, pacePerSecond: 20 });
  const result = await findLimit({ plan: { ...plan, scenario: webinar.name }, scenario: webinar }, parts, never);
  expect(result).toMatchObject({ outcome: 'found', limit: { stable: 5, unstable: 6 }, unit: 'viewers' });
  expect(result.probesAtLimit).toBe(8);
});
