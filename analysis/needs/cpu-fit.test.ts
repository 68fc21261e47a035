import { expect, test } from '@playwright/test';
import type { KindCalibration } from '../../model/calibration.js';
import { type Plan, planSchema } from '../../model/plan.js';
import type { Scenario } from '../../model/scenario.js';
import { audioRoom } from '../../scenarios/audio-room.js';
import { broadcast } from '../../scenarios/broadcast.js';
import { group } from '../../scenarios/group.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { cpuFit, cpuShortages } from './cpu-fit.js';

const aPlan = (max: number, changes: object = {}): Plan =>
  planSchema.parse({ scenario: 'one-to-one', server: { kind: 'embedded' }, search: { max }, ...changes });
const encoded = { players: { kind: 'encoded', fullShare: 0 } } as const;
const remoteServer = { server: { kind: 'kurento', url: 'kurento://a:1' } };
const limitedTo = (cpuLimitCores: number) => ({ server: { kind: 'embedded', cpuLimitCores } });
const calibrated = (carries: number): KindCalibration => ({
  coresPerProbe: 0.01,
  mbPerProbe: 20,
  serverCores: 0,
  carries,
  because: '',
});

test('without a calibration two cores carry what was measured on two: 4 full calls, 16 encoded ones, some 90 viewers', () => {
  expect(cpuFit(aPlan(512), oneToOne, { cores: 2 })).toMatchObject({
    by: 'stated figures',
    fitting: 4,
    fittingEncoded: 16,
    countsServer: true,
  });
  expect(cpuFit(aPlan(512, encoded), oneToOne, { cores: 2 })?.fitting).toBe(16);
  const viewers = cpuFit(aPlan(512, encoded), broadcast, { cores: 2 })?.fitting ?? 0;
  expect(viewers).toBeGreaterThan(80);
  expect(viewers).toBeLessThan(110);
});

test('a calibrated host carries as many probes as it was seen to carry, not as many as its cores divided by their cost', () => {
  const room = { cores: 2, calibrated: { full: calibrated(8), encoded: calibrated(32), native: calibrated(80) } };
  expect(cpuFit(aPlan(512), oneToOne, room)).toMatchObject({ by: 'calibration', fitting: 4, fittingEncoded: 16 });
});

test('a host on which not even two probes were carried fits no call, though nothing could be read of their CPU', () => {
  const none = { ...calibrated(0), coresPerProbe: 0, tooMany: 2 };
  const room = { cores: 2, calibrated: { full: none, encoded: none, native: none } };
  expect(cpuFit(aPlan(512), oneToOne, room)?.fitting).toBe(0);
  const native = { players: { kind: 'native', sentinels: 1 } };
  expect(cpuFit(aPlan(512, native), oneToOne, room)?.fitting).toBe(0);
});

test('only a size that wants more than twice the CPU is a shortage, and nothing is where the cores are not known', () => {
  expect(cpuShortages(aPlan(9), oneToOne, { cores: 2 })).toEqual([]);
  expect(cpuShortages(aPlan(10), oneToOne, { cores: 2 })).toEqual([
    { what: 'CPU', needed: 5, available: 2, unit: 'cores' },
  ]);
  expect(cpuShortages(aPlan(512), oneToOne, {})).toEqual([]);
  expect(cpuFit(aPlan(512), oneToOne, {})).toBeUndefined();
});

test('with a server elsewhere no more probes are promised than were seen, and one here takes for each who is mixed', () => {
  const remote = cpuFit(aPlan(512, remoteServer), oneToOne, { cores: 2 });
  expect(remote).toMatchObject({ fitting: 4, fittingEncoded: 16, countsServer: false });
  const mixed = cpuFit(aPlan(64, encoded), group(4), { cores: 8 });
  const elsewhere = cpuFit(aPlan(64, { ...encoded, ...remoteServer }), group(4), { cores: 8 });
  expect(mixed?.mixerCoresPerProbe).toBeGreaterThan(0);
  expect(elsewhere).not.toHaveProperty('mixerCoresPerProbe');
  expect(mixed?.fitting).toBeLessThan(elsewhere?.fitting ?? 0);
  const forwarded = cpuFit(aPlan(64, encoded), oneToOne, { cores: 8 });
  expect(forwarded).not.toHaveProperty('mixerCoresPerProbe');
});

test('a room of sound takes less of the probes and of the mixer than one with pictures, and is not refused for what pictures would take', () => {
  const fittingOf = (scenario: Scenario, changes: object) => cpuFit(aPlan(64, changes), scenario, { cores: 8 });
  for (const changes of [{}, encoded]) {
    const [sound, pictures] = [audioRoom(4), group(4)].map((one) => fittingOf(one, changes));
    expect(sound?.fitting).toBeGreaterThan(2 * (pictures?.fitting ?? 0));
    expect(sound?.mixerCoresPerProbe).toBeLessThan(pictures?.mixerCoresPerProbe ?? 0);
    expect(sound?.mixerCoresPerProbe).toBeGreaterThan(0);
  }
  expect(cpuShortages(aPlan(12), audioRoom(4), { cores: 2 })).toEqual([]);
  expect(cpuShortages(aPlan(12), group(4), { cores: 2 })).toHaveLength(1);
});

test('a server that is held to less takes no more of the host than that, and its own end is foreseen', () => {
  const held = (cores: number) => cpuFit(aPlan(64, limitedTo(cores)), oneToOne, { cores: 2 });
  // 0.02 of a core per full probe: a call takes 0.04 of the server.
  expect(held(0.1)).toMatchObject({ server: { cores: 0.1, fitting: 2 }, fitting: 4 });
  expect(held(1)).toMatchObject({ server: { cores: 1, fitting: 25 }, fitting: 4 });
  expect(cpuFit(aPlan(64), oneToOne, { cores: 2 })).not.toHaveProperty('server');
  const roomy = cpuFit(aPlan(64, limitedTo(0.1)), oneToOne, { cores: 20 });
  expect(roomy?.fitting).toBeGreaterThan(cpuFit(aPlan(64), oneToOne, { cores: 20 })?.fitting ?? 0);
});

test('a quota of today leaves what a probe was calibrated to cost on all cores as it is', () => {
  const host = { name: '', cores: 2, cpuModel: '', memoryMb: 1 };
  const all = { full: calibrated(8), encoded: calibrated(32), native: calibrated(80), host };
  expect(cpuFit(aPlan(512), oneToOne, { cores: 2, calibrated: all })?.fitting).toBe(4);
  expect(cpuFit(aPlan(512), oneToOne, { cores: 1, calibrated: all })?.fitting).toBe(2);
});

test('of native probes the share of the server is apart: it takes more of those who send, and nothing where it runs elsewhere', () => {
  const native = { ...calibrated(80), tooMany: 96, coresPerProbe: 0.008, serverCores: 0.64 };
  const room = { cores: 2, calibrated: { full: calibrated(8), encoded: calibrated(32), native } };
  const fittingOf = (scenario: Scenario, changes: object = {}) =>
    cpuFit(aPlan(2000, { players: { kind: 'native', sentinels: 4 }, ...changes }), scenario, room)?.fitting ?? 0;
  // Three callers and three callees are browsers, which take 1.5 cores. 80 native probes were all that two cores
  // carried, half of it the server's.
  expect(fittingOf(oneToOne)).toBe((6 + 20) / 2);
  expect(fittingOf(oneToOne, remoteServer)).toBe((6 + 40) / 2);
  // A viewer is one of two ways of the probe and one of four of the server; the presenter, native as well, hardly
  // counts.
  const viewers = 4 + (2 - 1 / 3) / (0.0125 / 2 + 0.0125 / 4);
  expect(fittingOf(broadcast)).toBeLessThan(viewers);
  expect(fittingOf(broadcast)).toBeGreaterThan(0.97 * viewers);
});

test('where no number of native probes was too many, no more is known of them than what they took', () => {
  const native = { ...calibrated(80), coresPerProbe: 0.002, serverCores: 0.16 };
  const room = { cores: 8, calibrated: { full: calibrated(8), encoded: calibrated(32), native } };
  const costs = (more: object) =>
    cpuFit(aPlan(10, { players: { kind: 'native', sentinels: 4 } }), oneToOne, {
      ...room,
      calibrated: { ...room.calibrated, native: { ...native, ...more } },
    })?.costs.find(({ kind }) => kind === 'native')?.cost;
  expect(costs({})).toEqual({ coresPerProbe: 0.001, serverCoresPerProbe: 0.0005, probeMb: 20, browserMb: 0 });
  expect(costs({ tooMany: 96 })?.coresPerProbe).toBeCloseTo(0.025, 9);
  // Two were too many for eight cores: each has two ways.
  expect(costs({ carries: 0, tooMany: 2, serverCores: 0.008 })).toMatchObject({
    coresPerProbe: 4,
    serverCoresPerProbe: 0.001,
  });
});
