import { expect, test } from '@playwright/test';
import { faultPatterns } from '../analysis/correlation/correlation.js';
import { patternSentence } from '../analysis/report/pattern-sentences.js';
import type { ProbeHostReading } from '../model/evidence.js';
import { clockBoundMsMax } from '../model/probe-host.js';
import type { Sample } from '../model/sample.js';
import type { Baseline, TrialRecord } from '../model/trial.js';
import type { StartFleet } from '../probes/fleet.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import type { SimulatedHost } from '../simulation/simulated-hosts.js';
import { aRun } from '../tests/builders/run-builder.js';
import { long } from '../tests/effort.js';
import { aMemorySink, aPlan, aSimulatedRun } from '../tests/simulated-run.js';
import { runTrial } from './run-trial.js';
import { ServerWatch } from './server-watch.js';

const plan = aPlan({}, { measureMs: 12_000, settleMs: 12_000, pacePerSecond: 20, earlyStop: false });

interface Ran {
  readonly record: TrialRecord;
  readonly readings: readonly ProbeHostReading[];
  /** As every sink gets them. */
  readonly samples: readonly Sample[];
}

interface Story {
  readonly size?: number;
  readonly capacity?: number;
  readonly baseline?: Baseline | null;
  readonly measureMs?: number;
  readonly around?: (startFleet: StartFleet) => StartFleet;
}

/** One trial of calls whose ends are dealt to these hosts. */
async function on(hosts: readonly SimulatedHost[] | undefined, story: Story = {}): Promise<Ran> {
  const { size = 6, capacity = 100, baseline = null, measureMs, around = (start) => start } = story;
  const timing = { ...plan.timing, measureMs: measureMs ?? plan.timing.measureMs };
  const { parts } = aSimulatedRun({ capacity, ...(hosts ? { hosts } : {}) });
  const samples: Sample[] = [];
  const sink = { ...aMemorySink(), writeSamples: (_: number, batch: readonly Sample[]) => void samples.push(...batch) };
  const told = { ...parts, sinks: [sink], startFleet: around(parts.startFleet) };
  const signal = new AbortController().signal;
  const server = await parts.server.start(signal);
  const { record, evidence } = await runTrial(
    {
      run: { plan: { ...plan, timing }, host: parts.host, server },
      scenario: oneToOne,
      parts: told,
      watch: new ServerWatch(parts.server),
      index: 1,
      size,
      why: 'grow',
      baseline,
    },
    signal,
  );
  return { record, samples, readings: evidence.probeHost };
}

/** A fleet that does not know how its hosts' clocks are set. */
const ignorant =
  (startFleet: StartFleet): StartFleet =>
  (options, listener) => {
    const fleet = startFleet(options, listener);
    return {
      join: (participants, join) => fleet.join(participants, join),
      hosts: () => fleet.hosts().map(({ clock: _, ...host }) => host),
      records: () => fleet.records(),
      readHosts: () => fleet.readHosts(),
      leave: () => fleet.leave(),
      close: () => fleet.close(),
    };
  };

const inStep: readonly SimulatedHost[] = [{ id: 'a' }, { id: 'b' }];
const apart: readonly SimulatedHost[] = [{ id: 'a' }, { id: 'b', clockAheadMs: 2000, clockBoundMs: 15 }];
const withoutHosts = ({ hosts: _, ...record }: TrialRecord) => record;

for (const [what, kind, story] of [
  ['holds', 'stable', {}],
  ['is overloaded', 'unstable', { capacity: 4 }],
] as const) {
  test(`two hosts with clocks 2 s apart give the samples, readings and record of two in step where the server ${what}`, async () => {
    const [one, other] = [await on(inStep, story), await on(apart, story)];
    expect(other.samples).toEqual(one.samples);
    expect(other.readings).toEqual(one.readings);
    expect(withoutHosts(other.record)).toEqual(withoutHosts(one.record));
    expect(other.record.verdict.kind).toBe(kind);
  });
}

test('the record says by how much each clock was set right, and how far that may be off', async () => {
  const { record } = await on(apart);
  expect(record.hosts).toEqual([
    { id: 'a', besideConductor: true },
    { id: 'b', clock: { offsetMs: -2000, boundMs: 15 } },
  ]);
  expect(record.probes.map(({ host }) => host)).toEqual(record.probes.map((_, nth) => (nth % 2 === 0 ? 'a' : 'b')));
});

for (const [what, kind, story] of [
  ['holds', 'stable', {}],
  ['is overloaded', 'unstable', { capacity: 4 }],
] as const) {
  test(
    `a clock 7 s ahead that drifts by 200 ppm changes no verdict, and no sample by more than its bound, where the server ${what}`,
    kind === 'stable' ? long : {},
    async () => {
      const drifting: readonly SimulatedHost[] = [{ id: 'a' }, { id: 'b', clockAheadMs: 7000, clockDriftPpm: 200 }];
      const longer = { ...story, measureMs: 120_000 };
      const [one, other] = [await on(inStep, longer), await on(drifting, longer)];
      const clock = other.record.hosts?.find(({ id }) => id === 'b')?.clock;
      const { boundMs = Number.NaN, drift } = clock ?? {};
      expect(boundMs).toBeLessThanOrEqual(clockBoundMsMax);
      expect(Math.abs((drift?.ppm ?? Number.NaN) - 200)).toBeLessThanOrEqual(drift?.boundPpm ?? Number.NaN);
      const named = ({ record }: Ran) => record.verdict.reasons.map(({ code, probe }) => `${probe}: ${code}`).sort();
      expect(other.record.verdict.kind).toBe(kind);
      expect(named(other)).toEqual(named(one));
      for (const { participant } of one.record.probes) {
        const [told, set] = [one, other].map(({ samples }) => samples.filter(({ probe }) => probe === participant.id));
        expect(set?.map(({ streams }) => streams)).toEqual(told?.map(({ streams }) => streams));
        const offMs = told?.map(({ atMs }, nth) => Math.abs((set?.[nth]?.atMs ?? Number.NaN) - atMs)) ?? [];
        expect(Math.max(...offMs)).toBeLessThanOrEqual(boundMs);
      }
    },
  );
}

test('clocks that nobody set right do change the samples: what lines them up is that they are', async () => {
  const [one, other] = [await on(inStep), await on(apart, { around: ignorant })];
  expect(other.samples).not.toEqual(one.samples);
  expect(other.record.streams).not.toEqual(one.record.streams);
});

test('a clock that is known to within 400 ms only makes a trial void, and the reason names the host', async () => {
  const { record } = await on([{ id: 'a' }, { id: 'b', clockAheadMs: -2000, clockBoundMs: 400 }]);
  expect(record.verdict).toMatchObject({ kind: 'void', probesExhausted: false });
  expect(record.verdict.reasons).toMatchObject([
    { host: 'b', text: 'The clock of the probe host b is known to within 400 ms only (limit 250 ms).' },
  ]);
});

test('a host that is out of CPU is named by every void reason, and the one beside it is not', async () => {
  const { record } = await on([{ id: 'a' }, { id: 'b', clockAheadMs: 2000, probeLimit: 3 }]);
  const { kind, reasons } = record.verdict;
  expect(kind).toBe('void');
  expect(reasons.map(({ host }) => host)).toEqual(reasons.map(() => 'b'));
  const text = (code: string) => reasons.find((reason) => reason.code === code)?.text;
  expect(text('probe-cpu')).toMatch(/ host b .* 8 of 8 cores/);
  expect(text('camera-short')).toMatch(/ \d+b .* host b\.$/);
});

test('a host whose own link is full excuses the server in a trial that fails, and in no other', async () => {
  const hosts = [{ id: 'a' }, { id: 'b', linkSpeedKbps: 3000 }];
  const { record: failing } = await on(hosts, { capacity: 4 });
  expect(failing.verdict).toMatchObject({ kind: 'void', probesExhausted: true });
  expect(failing.verdict.reasons).toMatchObject([
    {
      code: 'probe-host-link',
      host: 'b',
      text: 'The link of the probe host b was full 100 % of the time while measuring: it carries 3 Mbit/s (limit 10 %).',
    },
  ]);
  expect((await on(hosts)).record.verdict.kind).toBe('stable');
  const roomy = [{ id: 'a' }, { id: 'b', linkSpeedKbps: 30_000 }];
  expect((await on(roomy, { capacity: 4 })).record.verdict.kind).toBe('unstable');
});

test('on one host nothing names it but a field, and no sentence', async () => {
  const { record } = await on([{ id: 'local', probeLimit: 3 }]);
  expect(record.verdict.reasons.map(({ host }) => host)).toEqual(record.verdict.reasons.map(() => 'local'));
  expect(record.verdict.reasons.map(({ text }) => text).join(' ')).not.toMatch(/host local|on host|host b/);
  expect(record.load.probeHostBusyPercentMean).toBe(100);
});

test('what only the probes of one host suffer is said to be of that host', async () => {
  const { record } = await on([{ id: 'a' }, { id: 'b', clockAheadMs: 2000 }, { id: 'c', lossShare: 0.2 }]);
  const [pattern] = faultPatterns(record);
  expect(pattern).toMatchObject({ shared: 'host', names: ['c'], failing: 4, groupProbes: 4 });
  const run = aRun([record], { outcome: 'found', stable: 1 });
  expect(pattern && patternSentence(run, pattern)).toContain(' on host c, as 4 probes are: ');
});

test('the load of several hosts is told as that of the busiest: no mean hides the one that is full', async () => {
  const { record } = await on([{ id: 'a' }, { id: 'b', probeLimit: 3 }]);
  expect(record.load).toMatchObject({ probeHostBusyPercentMean: 100, probeHostBusyPercentMax: 100 });
  expect(record.load.probeCoresMean).toBeCloseTo(0.95 * (8 + 0.56), 5);
});

test('a host that goes away is a finding about that host: its probes fail with it, and the trial is void', async () => {
  const { record } = await on([{ id: 'a' }, { id: 'b', clockAheadMs: 2000, lostInSecond: 8 }]);
  const lost = record.events.find((event) => event.type === 'host-lost');
  expect(lost).toMatchObject({ host: 'b', probes: ['1b', '2b', '3b', '4b', '5b', '6b'] });
  const failures = record.probes.flatMap((probe) => probe.failures);
  expect(failures.map(({ code, atMs }) => [code, atMs])).toEqual(failures.map(() => ['host-lost', lost?.atMs]));
  expect(record.verdict).toMatchObject({ kind: 'void', probesExhausted: false });
  expect(record.verdict.reasons[0]?.text).toMatch(/^1b went away with its host: .*; 1b is on host b\.$/);
  expect(record.verdict.reasons.map(({ code }) => code)).toEqual(record.verdict.reasons.map(() => 'host-lost'));
});
