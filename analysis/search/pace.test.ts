import { expect, test } from '@playwright/test';
import { timingSchema } from '../../model/plan.js';
import type { TrialRecord } from '../../model/trial.js';
import { aRecord } from '../../tests/builders/run-builder.js';
import { calls } from '../../tests/builders/trial-builder.js';
import { nextPace } from './pace.js';

const timing = timingSchema.parse({ autoPace: true });

function trial(pacePerSecond: number, answerMs: number, changes: Partial<TrialRecord> = {}): TrialRecord {
  const record = aRecord(calls(2), { index: 1, size: 2 });
  return {
    ...record,
    pacePerSecond,
    probes: record.probes.map((probe) => ({ ...probe, join: { ...probe.join, answerMs } })),
    ...changes,
  };
}

const hurried: TrialRecord['verdict'] = {
  kind: 'void',
  reasons: [{ code: 'hurried', text: 'Joined faster.' }],
  thresholds: [],
  probesExhausted: false,
};

test('participants join as the plan has it, unless it says auto', () => {
  expect(nextPace(timingSchema.parse({}), [trial(2, 50)], 1000)).toBe(2);
  expect(nextPace(timing, [], 1000)).toBe(2);
});

test('they join twice as fast after each stable trial that was answered as soon, up to 16/s', () => {
  const fast = [2, 4, 8, 16, 16].map((pace) => trial(pace, 60));
  expect(fast.map((_, index) => nextPace(timing, fast.slice(0, index + 1), 100))).toEqual([4, 8, 16, 16, 16]);
});

test('more than 240 join faster, so that all are there within 15 s, up to 50/s', () => {
  const fast = [2, 4, 8, 16, 32].map((pace) => trial(pace, 60));
  expect([100, 240, 450, 600, 2000].map((probes) => nextPace(timing, fast, probes))).toEqual([16, 16, 30, 40, 50]);
  expect(nextPace(timing, fast.slice(0, 3), 900)).toBe(16);
});

test('where answers take longer than in the first trial, half as fast from then on', () => {
  expect(nextPace(timing, [trial(2, 60), trial(4, 60), trial(8, 400)], 1000)).toBe(4);
  expect(nextPace(timing, [trial(2, 60), trial(4, 60), trial(8, 400), trial(4, 60)], 1000)).toBe(4);
});

test('once joining failed because of the pace, it is the plan’s for the rest of the run', () => {
  const past = [trial(2, 60), trial(4, 60), trial(8, 70, { verdict: hurried }), trial(2, 60)];
  expect(nextPace(timing, past, 1000)).toBe(2);
});

test('where the probes ran out while joining faster, half as fast from then on', () => {
  const ranOut: TrialRecord['verdict'] = { kind: 'void', reasons: [], thresholds: [], probesExhausted: true };
  const past = [trial(2, 60), trial(4, 60), trial(8, 60, { verdict: ranOut })];
  expect(nextPace(timing, past, 1000)).toBe(4);
  expect(nextPace(timing, [...past, trial(4, 60)], 1000)).toBe(4);
});
