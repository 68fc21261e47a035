import { expect, test } from '@playwright/test';
import type { FinishedRun } from '../../model/finished-run.js';
import { type Plan, planSchema } from '../../model/plan.js';
import { factsTogether } from '../../server-setup/cluster/together.js';
import { aRun } from '../../tests/builders/run-builder.js';
import { aRecord } from '../../tests/stored-run.js';
import { clusterOf, serversIn } from '../measure/cluster-servers.js';
import { whatIsFull } from '../report/cluster-account.js';
import { compareRuns } from './compare.js';
import { hostTypeOf } from './host-type.js';
import { differentLoad, isSameMachine } from './same-load.js';

function runOf(stable: number, plan: Partial<Plan>): FinishedRun {
  const run = aRun([aRecord(1, { size: stable })], { outcome: 'found', stable, unstable: stable + 1 });
  const own = planSchema.parse({ ...run.manifest.plan, ...plan });
  return { ...run, manifest: { ...run.manifest, plan: own } };
}

const webinar = (panel?: Plan['panel']) => runOf(40, { scenario: 'webinar', ...(panel ? { panel } : {}) });
const rooms = (roomSize?: number) => runOf(9, { scenario: 'sfu-group', ...(roomSize ? { roomSize } : {}) });

test('a load whose usual members are written out is the same load', () => {
  expect(differentLoad([webinar(), webinar({ presenters: 2, handsUp: 1 })])).toBeUndefined();
  expect(differentLoad([rooms(), rooms(4)])).toBeUndefined();
  expect(differentLoad([webinar(), webinar({ presenters: 3, handsUp: 1 })])?.label).toContain(
    'who sends beside viewers',
  );
  expect(differentLoad([rooms(4), rooms(8)])?.label).toBe('members of a room');
});

const placed = (placement: 'round-robin' | 'hash', capacities: readonly number[], plan: Partial<Plan> = {}) =>
  runOf(capacities.length, {
    server: { kind: 'simulated', capacity: 20, seed: 1, cluster: { capacities: [...capacities], placement } },
    ...plan,
  });
const placementsOf = (...runs: readonly FinishedRun[]) =>
  compareRuns(runs).conclusions.filter((text) => text.includes('Placed'));

test('placements are compared under one load and on one cluster, and not where either differs', () => {
  expect(placementsOf(placed('hash', [10, 10]), placed('round-robin', [10, 10]))).not.toEqual([]);
  const [hash, turns] = [placed('hash', [10, 10]), placed('round-robin', [10, 10], { scenario: 'sfu-group' })];
  expect(placementsOf(hash, turns)).toEqual([]);
  expect(placementsOf(placed('hash', [10, 10]), placed('round-robin', [30, 30]))).toEqual([]);
});

test('what the control groups of a server give it makes it another kind of host, and another machine', () => {
  const run = runOf(10, {});
  const heldTo = (given: object): FinishedRun => {
    const server = { ...run.manifest.server, heldTo: given };
    return { ...run, manifest: { ...run.manifest, server } };
  };
  const names = [run, heldTo({ cores: 1 }), heldTo({ memoryMb: 512 })].map(({ manifest }) => hostTypeOf(manifest));
  expect(names).toEqual(['4 cores, a cpu', '4 cores, a cpu, 1 cores of it', '4 cores, a cpu, 512 MB of it']);
  expect(isSameMachine(run, heldTo({ cores: 1 }))).toBe(false);
  expect(isSameMachine(run, heldTo({ memoryMb: 512 }))).toBe(false);
  expect(isSameMachine(run, run)).toBe(true);
});

test('what control groups give servers of a cluster is theirs: another machine, and a CPU that may be full', () => {
  const members = ['A', 'B'].map((name) => ({ name, server: { kind: 'embedded' } }));
  const one = runOf(10, { server: { kind: 'cluster', placement: 'round-robin', members } });
  const cluster = (given: object): FinishedRun => {
    const facts = { ...one.manifest.server, ...given };
    return { ...one, manifest: { ...one.manifest, server: factsTogether(['A', 'B'], [facts, facts]) } };
  };
  const held = cluster({ heldTo: { cores: 1, memoryMb: 512 } });
  expect(isSameMachine(held, cluster({}))).toBe(false);
  expect(isSameMachine(held, cluster({ heldTo: { cores: 1 } }))).toBe(false);
  const asked = clusterOf(held.manifest);
  if (!asked) throw new Error('no cluster');
  const servers = ['A', 'B'].map((server) => ({ server, coresMean: 0.98 }));
  const load = { samplesExpected: 1, samplesGot: 1, servers };
  const [first] = serversIn(aRecord(1, { load }), asked);
  expect(first?.use).toBeCloseTo(0.98, 9);
  expect(first && whatIsFull(first, asked.servers[0]?.facts)).toBe('cpu');
});
