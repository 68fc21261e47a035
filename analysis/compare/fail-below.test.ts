import { expect, test } from '@playwright/test';
import type { Plan } from '../../model/plan.js';
import { aRun } from '../../tests/builders/run-builder.js';
import { compareRuns } from './compare.js';
import { holdsShare } from './fail-below.js';
import { differentLoad, differentPlan } from './same-load.js';

const ofPlan = (stable: number, more: Partial<Plan> = {}) => {
  const run = aRun([], { outcome: 'found', stable, unstable: stable + 1 });
  return { ...run, manifest: { ...run.manifest, plan: { ...run.manifest.plan, ...more } } };
};

test('55 of 100 are 55 %, though the product of the two is more by a rounding', () => {
  expect(0.55 * 100).toBeGreaterThan(55);
  expect(holdsShare(compareRuns([ofPlan(100), ofPlan(55)]), 0.55).kind).toBe('met');
  expect(holdsShare(compareRuns([ofPlan(100), ofPlan(54)]), 0.55).kind).toBe('below');
});

test('rooms of eight are not held against rooms of four, nor ten seconds against sixty, and the fact is named', () => {
  const { timing } = ofPlan(1).manifest.plan;
  const said = (...runs: readonly ReturnType<typeof ofPlan>[]) => holdsShare(compareRuns(runs), 0.95);
  expect(said(ofPlan(10, { roomSize: 4 }), ofPlan(5, { roomSize: 8 }))).toMatchObject({
    kind: 'unknown',
    sentences: [expect.stringContaining('members of a room is another (4, 8)')],
  });
  const short = ofPlan(10, { timing: { ...timing, measureMs: 10_000 } });
  expect(said(ofPlan(10), short)).toMatchObject({
    kind: 'unknown',
    sentences: [expect.stringContaining('timing: measureMs is another (60000, 10000)')],
  });
  // One that is a repeat of the first is held to it, whatever the others are.
  const [unlike, alike] = said(ofPlan(10), short, ofPlan(5)).sentences;
  expect(unlike).toContain('cannot be said');
  expect(alike).toContain('less than 95 %');
});

test('runs of other presenters or of another time are no repeats of a plan; the load of the latter is the same', () => {
  const { timing } = ofPlan(1).manifest.plan;
  const panel = (presenters: number) => ({ scenario: 'webinar' as const, panel: { presenters } as Plan['panel'] });
  const short = ofPlan(10, { timing: { ...timing, measureMs: 10_000 } });
  expect(differentPlan([ofPlan(10, panel(2)), ofPlan(10, panel(6))])?.values).toEqual(['2', '6']);
  expect(differentPlan([ofPlan(10), short])?.label).toBe('timing: measureMs');
  expect(differentLoad([ofPlan(10), short])).toBeUndefined();
  expect(differentPlan([ofPlan(10), ofPlan(9)])).toBeUndefined();
});
