import { expect, test } from '@playwright/test';
import { type Plan, planSchema } from '../../model/plan.js';
import type { Participant, ScenarioUnit } from '../../model/scenario.js';
import type { Study } from '../../model/study.js';
import type { TrialRecord } from '../../model/trial.js';
import { aRun } from '../../tests/builders/run-builder.js';
import { aRecord } from '../../tests/stored-run.js';
import { cellsOf } from './schedule.js';
import { studyAnswer } from './study-answer.js';

const study: Study = {
  format: 1,
  name: 'one',
  startedAt: '2026-01-02T03:04:05.000Z',
  rounds: 1,
  seed: 1,
  chance: 0.05,
  parts: ['limit'],
  cells: cellsOf(['janus'], ['one-to-one'], []),
  question: 'q',
};

const receiving = (probe: string, bitrateKbps?: number): TrialRecord['streams'][number] => ({
  ...{ probe, leg: probe, direction: 'receive', kind: 'video' },
  values: bitrateKbps === undefined ? {} : { bitrateKbps },
});

function cellOf(record: Partial<TrialRecord>, unit: ScenarioUnit, plan: Partial<Plan> = {}) {
  const run = aRun([aRecord(1, { size: 4, ...record })], { outcome: 'found', stable: 4, unstable: 5 });
  const own = planSchema.parse({ ...run.manifest.plan, ...plan });
  const step = { cell: 'janus+one-to-one', round: 1, part: 'limit' as const, path: '' };
  return studyAnswer(study, [{ ...step, run: { ...run, manifest: { ...run.manifest, unit, plan: own } } }]).tables[0]
    ?.cells[0];
}

const viewers = { one: 'viewer', many: 'viewers', countsParticipants: true } as const;

test('the bit rate of one viewer is without what presenters receive, and is not told where a rate is not known', () => {
  const seat = (id: string, role: string): Participant => ({ id, session: '1', role, legs: [] });
  const members = [seat('p1', 'presenter'), ...['v1', 'v2', 'v3', 'v4'].map((id) => seat(id, 'viewer'))];
  const probes = members.map((participant) => ({ participant, join: {} })) as unknown as TrialRecord['probes'];
  const streams = [receiving('p1', 900), ...['v1', 'v2', 'v3', 'v4'].map((id) => receiving(id, 500))];
  expect(cellOf({ probes, streams }, viewers)?.egressKbps?.middle).toBe(500);
  expect(cellOf({ probes, streams: [...streams, receiving('v1')] }, viewers)).not.toHaveProperty('egressKbps');
});

test('where a size is how many come in a second, no bit rate is told of one of them', () => {
  const load = { by: 'arrivals' as const, process: 'constant' as const, holdMs: 20_000, stay: 'constant' as const };
  const streams = [receiving('1a', 500)];
  const unit = { one: 'call', many: 'calls' };
  expect(cellOf({ streams }, unit)).toHaveProperty('egressKbps');
  const coming = cellOf({ streams }, unit, { load: { ...load, perMs: 1000, seed: 1 } });
  expect(coming).not.toHaveProperty('egressKbps');
});
