import { expect, test } from '@playwright/test';
import type { KindCalibration } from '../../model/calibration.js';
import { type Plan, planSchema } from '../../model/plan.js';
import { broadcast } from '../../scenarios/broadcast.js';
import { group } from '../../scenarios/group.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { cpuFit, cpuShortages } from './cpu-fit.js';

const aPlan = (max: number, changes: object = {}): Plan =>
  planSchema.parse({ scenario: 'one-to-one', server: { kind: 'embedded' }, search: { max }, ...changes });
const encoded = { encoded: { fullShare: 0 } };
const calibrated = (carries: number): KindCalibration => ({
  coresPerProbe: 0.01,
  mbPerProbe: 20,
  serverCores: 0,
  carries,
  because: '',
});

test('without a calibration two cores carry what was measured on two: 4 full calls, 15 encoded ones, some 90 viewers', () => {
  expect(cpuFit(aPlan(512), oneToOne, { cores: 2 })).toMatchObject({
    by: 'stated figures',
    fitting: 4,
    fittingEncoded: 15,
    countsServer: true,
  });
  expect(cpuFit(aPlan(512, encoded), oneToOne, { cores: 2 })?.fitting).toBe(15);
  const viewers = cpuFit(aPlan(512, encoded), broadcast, { cores: 2 })?.fitting ?? 0;
  expect(viewers).toBeGreaterThan(80);
  expect(viewers).toBeLessThan(110);
});

test('a calibrated host carries as many probes as it was seen to carry, not as many as its cores divided by their cost', () => {
  const room = { cores: 2, calibrated: { full: calibrated(8), encoded: calibrated(32) } };
  expect(cpuFit(aPlan(512), oneToOne, room)).toMatchObject({ by: 'calibration', fitting: 4, fittingEncoded: 16 });
});

test('only a size that wants more than twice the CPU is a shortage, and nothing is where the cores are not known', () => {
  expect(cpuShortages(aPlan(9), oneToOne, { cores: 2 })).toEqual([]);
  expect(cpuShortages(aPlan(10), oneToOne, { cores: 2 })).toEqual([
    { what: 'CPU', needed: 5, available: 2, unit: 'cores' },
  ]);
  expect(cpuShortages(aPlan(512), oneToOne, {})).toEqual([]);
  expect(cpuFit(aPlan(512), oneToOne, {})).toBeUndefined();
});

test('a server elsewhere takes none of it, and mixing here is said to be left out', () => {
  const remote = aPlan(512, { server: { kind: 'kurento', url: 'kurento://a:1' } });
  expect(cpuFit(remote, oneToOne, { cores: 2 })).toMatchObject({ fitting: 5, countsServer: false });
  expect(cpuFit(aPlan(4), group(4), { cores: 8 })?.leavesOutMixing).toBe(true);
  expect(cpuFit(remote, group(4), { cores: 8 })?.leavesOutMixing).toBe(false);
});
