import { expect, test } from '@playwright/test';
import type { Plan } from '../../model/plan.js';
import { aRun } from '../../tests/builders/run-builder.js';
import { compareRuns } from './compare.js';
import { holdsShare } from './fail-below.js';

const ofPlan = (stable: number, more: Partial<Plan> = {}) => {
  const run = aRun([], { outcome: 'found', stable, unstable: stable + 1 });
  return { ...run, manifest: { ...run.manifest, plan: { ...run.manifest.plan, ...more } } };
};

test('55 of 100 are 55 %, though the product of the two is more by a rounding', () => {
  expect(0.55 * 100).toBeGreaterThan(55);
  expect(holdsShare(compareRuns([ofPlan(100), ofPlan(55)]), 0.55).kind).toBe('met');
  expect(holdsShare(compareRuns([ofPlan(100), ofPlan(54)]), 0.55).kind).toBe('below');
});
