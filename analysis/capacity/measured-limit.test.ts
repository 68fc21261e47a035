import { expect, test } from '@playwright/test';
import type { FinishedRun } from '../../model/finished-run.js';
import type { Load } from '../../model/load.js';
import type { TrialRecord } from '../../model/trial.js';
import { webinar } from '../../scenarios/webinar.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { aRun } from '../../tests/builders/run-builder.js';
import { aRecord } from '../../tests/stored-run.js';
import { comparedRun } from '../compare/compare.js';
import { hostLimits } from './host-limit.js';
import { type MeasuredLimit, measuredLimit } from './measured-limit.js';
import { trafficOf } from './traffic.js';
import { usableOf } from './usable.js';

const disturbedBy = [{ code: 'environment' as const, text: 'A probe host was full.' }];
const disturbed: TrialRecord['verdict'] = { kind: 'stable', reasons: [], thresholds: [], disturbedBy };
const unstable: TrialRecord['verdict'] = { kind: 'unstable', reasons: [], thresholds: [] };
const cutShort = { outcome: 'reached-max', stable: 50, cutShort: true } as const;
const screened = { afterMs: 12_000, because: 'Nothing came near its limit.' };

const atFive = (index: number, changes: Partial<TrialRecord> = {}) =>
  aRecord(index, { size: 5, probesAsked: 10, ...changes });

test('a stored answer whose size passed only where it confirms nothing is planned with by what was confirmed', () => {
  for (const last of [{ verdict: disturbed }, { screened }]) {
    const run = aRun([aRecord(1, {}), aRecord(2, { size: 50, probesAsked: 100, ...last })], cutShort);
    expect(comparedRun(run)).toMatchObject({ atLeast: 1, below: null });
    expect(measuredLimit(run)).toMatchObject({ atLeast: 1, passes: 1, participantsPerUnit: 2 });
  }
});

test('a limit rests on the passes that confirm it, and on no others', () => {
  const run = aRun([aRecord(1), atFive(2, { screened }), atFive(3), atFive(4, { verdict: disturbed })], {
    outcome: 'found',
    stable: 5,
    unstable: 6,
  });
  expect(measuredLimit(run)).toMatchObject({ atLeast: 5, passes: 1 });
});

test('where the limit failed, too, its passes are of the size that held each time', () => {
  const passed = [2, 3, 4].map((index) => atFive(index));
  const run = aRun([aRecord(1), ...passed, atFive(5, { verdict: unstable })], {
    outcome: 'found',
    stable: 5,
    unstable: 6,
  });
  expect(measuredLimit(run)).toMatchObject({ atLeast: 1, passes: 1 });
});

test('a run by arrivals is no limit of how many are there at once, and is refused by that name', () => {
  const load: Load = { by: 'arrivals', process: 'constant', holdMs: 30_000, stay: 'constant', perMs: 1000, seed: 1 };
  const records = [aRecord(1, { size: 20, probesAsked: 2400 }), aRecord(2, { size: 20, probesAsked: 2400 })];
  const { manifest, ...run } = aRun(records, { outcome: 'found', stable: 20, unstable: 21 });
  const byArrivals: FinishedRun = { ...run, manifest: { ...manifest, plan: { ...manifest.plan, load } } };
  // The window is 60 s long: 20 × 60 s × 2 come in it, and 20 × 30 s × 2 are there at once.
  expect(measuredLimit(byArrivals)).toMatchObject({ why: expect.stringContaining('a run without --by') });
  expect(measuredLimit(byArrivals)).not.toHaveProperty('participantsPerUnit');
});

test('a visited page has as many connections as it has routes, and any other probe one for each leg', () => {
  const limitOf = (routes: readonly string[]) => {
    const probes = ['1a', '1b'].map((leg) => ({
      ...aProbe(leg).record(),
      routes: routes.map((candidateType) => ({ leg, candidateType })),
    }));
    return measuredLimit(aRun([atFive(1, { probes })], { outcome: 'found', stable: 5, unstable: 6 }));
  };
  const { connectionsPerUnit = 0 } = limitOf([]) as MeasuredLimit;
  expect(connectionsPerUnit).toBeGreaterThan(0);
  expect(limitOf(['host', 'relay'])).toMatchObject({ connectionsPerUnit: 2 * connectionsPerUnit });
});

test('what presenters and hands of a webinar receive is of the session, and not of its viewers', () => {
  const scenario = webinar({ presenters: 8, handsUp: 1 });
  const participants = scenario.sessions(10).flatMap((session) => session.participants);
  const kbps = { video: 500, audio: 32 } as Readonly<Record<string, number>>;
  const streams = participants.flatMap(({ id, legs }) =>
    legs.flatMap((leg) =>
      leg.receives.map((kind) => ({
        ...{ probe: id, leg: leg.id, direction: 'receive' as const, kind },
        values: { bitrateKbps: kbps[kind] ?? 0 },
      })),
    ),
  );
  const probes = participants.map((participant) => ({
    ...{ participant, browser: 0, page: 0, up: true, join: {}, failures: [] },
  }));
  const limitOf = (sentMbps: number | undefined) => {
    const load = { samplesExpected: 1, samplesGot: 1, ...(sentMbps ? { serverEgressMbpsMean: sentMbps } : {}) };
    const records = [aRecord(1, { size: 10, probesAsked: 19, probes, streams, load } as Partial<TrialRecord>)];
    const { manifest, ...run } = aRun(records, { outcome: 'found', stable: 10, unstable: 11 });
    const of = { ...manifest, unit: scenario.unit, plan: { ...manifest.plan, scenario: 'webinar' } };
    return hostLimits([measuredLimit({ ...run, manifest: of }) as MeasuredLimit]);
  };
  // Each viewer: 8 × 532 + 32. Beside them 8 × (7 × 532 + 32) + 8 × 532.
  const [viewer, beside] = [4.288, 34.304];
  const limits = limitOf(undefined);
  expect(limits[0]?.egress).toEqual({
    ...{ mbpsPerUnit: expect.closeTo(viewer, 9), mbpsBeside: expect.closeTo(beside, 9), basis: 'probes' },
  });
  const ask = { demands: [{ scenario: 'webinar', units: 1000, asked: '' }], broadcasts: 1 };
  expect(trafficOf({ units: [1000], feeds: [0] }, limits, ask)?.egressMbps).toBeCloseTo(1000 * viewer + beside, 6);
  // What the server says is dealt by the same shares: it counts headers that probes do not.
  const ofServer = limitOf(1.1 * (10 * viewer + beside))[0]?.egress;
  expect([ofServer?.mbpsPerUnit, ofServer?.mbpsBeside]).toEqual([
    expect.closeTo(1.1 * viewer, 9),
    expect.closeTo(1.1 * beside, 9),
  ]);
  const [limit] = limits;
  if (!limit) throw new Error('no limit');
  const { units } = usableOf(limit, 10, { headroom: 0, linkMbps: beside + 3.5 * viewer } as Parameters<
    typeof usableOf
  >[2]);
  expect(units).toBe(3);
  // A viewer hears nine, and so does each of nine beside: eight others, and what it sends.
  const ports = { headroom: 0, ports: 9 * 9 + 9 * 3 } as Parameters<typeof usableOf>[2];
  expect(usableOf(limit, 10, ports)).toMatchObject({ units: 3, binds: 'ports', used: { ports: 1 } });
});

test('the pace of joining is that of the trials at the limit, and not the one at which the search began', () => {
  const run = aRun([aRecord(1), atFive(2, { pacePerSecond: 16 }), atFive(3, { pacePerSecond: 8 })], {
    ...{ outcome: 'found', stable: 5, unstable: 6 },
  });
  expect(run.manifest.plan.timing.pacePerSecond).toBe(2);
  expect(measuredLimit(run)).toMatchObject({ joinsPerSecond: 16 });
});

test('two servers on one machine are no repeats of one kind of host, until each has a name of its own', () => {
  const runOf = (name: string, stable: number) => {
    const records = [aRecord(1), aRecord(2, { size: stable, probesAsked: 2 * stable })];
    const { manifest, ...run } = aRun(records, { outcome: 'found', stable, unstable: stable + 1 });
    return { ...run, manifest: { ...manifest, server: { ...manifest.server, name } } };
  };
  const runs = [runOf('janus 1.2', 10), runOf('kurento 7.0', 40)];
  const limitsOf = (names: readonly string[]) =>
    hostLimits(runs.map((run, nth) => measuredLimit(run, names[nth]) as MeasuredLimit));
  expect(() => limitsOf([])).toThrow('different servers');
  expect(() => limitsOf(['large', 'large'])).toThrow('on large are of different servers');
  expect(limitsOf(['a', 'b']).map(({ hostType, atLeast }) => [hostType, atLeast])).toEqual([
    ['a', 10],
    ['b', 40],
  ]);
});

test('simulated servers of other capacities are other servers, and those of other seeds the same', () => {
  const limitOf = (capacity: number, seed: number) => {
    const { manifest, ...run } = aRun([aRecord(1, { size: 5 })], { outcome: 'found', stable: 5, unstable: 6 });
    const plan = { ...manifest.plan, server: { kind: 'simulated' as const, capacity, seed } };
    const told = measuredLimit({ ...run, manifest: { ...manifest, plan } }, 'large');
    if ('why' in told) throw new Error(told.why);
    return told;
  };
  expect(() => hostLimits([limitOf(5, 1), limitOf(9, 1)])).toThrow('different servers');
  expect(hostLimits([limitOf(5, 1), limitOf(5, 2)])).toHaveLength(1);
});
