import { expect, test } from '@playwright/test';
import type { FinishedRun } from '../../model/finished-run.js';
import type { LoadSummary } from '../../model/load-summary.js';
import type { ResetProof } from '../../model/reset-proof.js';
import type { ServerFacts } from '../../model/run.js';
import type { TrialEvent, TrialRecord } from '../../model/trial.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { aRecord, aRun } from '../../tests/builders/run-builder.js';
import { calls, withProbes } from '../../tests/builders/trial-builder.js';
import { summary } from '../report/text.js';
import { memoryGrowth, transcodedLegs } from './server-load.js';
import { usedOf } from './used.js';

const starved = () => withProbes(calls(4), aProbe('3a').receivesVideo({ lossPercent: 9 }));

/** What sizes that hold have in use. */
const little: Partial<LoadSummary> = {
  ...{ serverCoresMean: 0.1, serverRssMbMax: 60, serverThrottledPercent: 0, turnCoresMean: 0.1 },
  ...{ serverHostBusyPercentMean: 20, serverHostCores: 4, serverHostMemoryMbMin: 6000, serverHostLinkPercentMean: 9 },
  ...{ serverEgressMbpsMean: 1, serverThread: { coresMean: 0.2, waitedPercent: 1 } },
};

function foundFour(
  server: Partial<ServerFacts>,
  load: Partial<LoadSummary>,
  held: readonly Partial<LoadSummary>[] = [little],
): FinishedRun {
  const holds = held.map((load, nth) => aRecord(calls(nth + 1), { index: nth + 1, size: nth + 1, load }));
  const fails = aRecord(starved(), { index: held.length + 1, size: 4 });
  const failing = { ...fails, load: { ...fails.load, ...load } };
  return aRun([...holds, failing], { outcome: 'found', stable: 3, unstable: 4 }, server);
}

const nothingFull = 'What ran out Nothing that was looked at was full.';

/** The report as one line of words, so that a test does not depend on where lines are broken. */
const words = (run: FinishedRun) => summary(run).replace(/\s+/g, ' ');

test('a server at its CPU limit is named as what ran out, one with CPU to spare is not', () => {
  const limited = { cpuLimitCores: 0.5 };
  expect(words(foundFour(limited, { serverCoresMean: 0.49 }))).toContain(
    "What ran out The server's CPU: 0.49 of the 0.5 cores it was given were in use at 4 calls.",
  );
  expect(words(foundFour(limited, { serverCoresMean: 0.47 }))).toContain(nothingFull);
  expect(words(foundFour({}, { serverCoresMean: 0.49 }))).toContain(nothingFull);
});

test('a server that fills the core it may run on ran out of CPU, whatever its machine has', () => {
  const told = "The server's CPU: 0.98 of the 1 cores it was given were in use at 4 calls.";
  const run = foundFour({ heldTo: { cores: 1 } }, { serverCoresMean: 0.98 });
  expect(words(run)).toContain(told);
  expect(words(run)).toContain('on 1 core,');
  expect(words(foundFour({}, { serverCoresMean: 0.98 }))).toContain(nothingFull);
});

test('what is used is of the cores that server and probes may run on', () => {
  const load = { samplesExpected: 0, samplesGot: 0, serverCoresMean: 0.98, probeHostBusyPercentMean: 50 };
  const trial = { load: { ...load, probeHostCores: 2 }, streams: [], hosts: 1 };
  const server = { sameHost: true, cpuLimitCores: 4, heldTo: { cores: 1 } };
  expect(usedOf({ server, host: { cores: 8 } }, trial)).toEqual([
    { what: 'server-cpu', amount: 0.98, available: 1 },
    { what: 'host-cpu', amount: 1, available: 2 },
  ]);
});

test('a quota of its own container is named with how often it stopped the server, when that was often', () => {
  const quota = { serverCpuQuotaCores: 0.9, serverCoresMean: 0.62 };
  expect(words(foundFour({}, { ...quota, serverThrottledPercent: 41 }))).toContain(
    'What ran out The server at 4 calls: its CPU quota of 0.9 cores was full, throttled in 41 % of its periods; over the whole window 0.62 cores were in use.',
  );
  expect(words(foundFour({}, { ...quota, serverThrottledPercent: 9 }))).toContain(nothingFull);
  expect(words(foundFour({}, quota))).toContain(nothingFull);
});

test('a limit that the run gave it is told once, with how often its quota was used up', () => {
  const load = { serverCpuQuotaCores: 0.5, serverCoresMean: 0.49, serverThrottledPercent: 73 };
  expect(words(foundFour({ cpuLimitCores: 0.5 }, load))).toContain(
    "What ran out The server's CPU: 0.49 of the 0.5 cores it was given were in use at 4 calls, and it was throttled in 73 % of its periods. Load,",
  );
});

test('memory ran out when what is resident reaches the limit of its container', () => {
  const told = "The server's memory: 250 of the 256 MB that its control group (cgroup) allows were in use at 4 calls.";
  expect(words(foundFour({}, { serverRssMbMax: 250, serverMemoryLimitMb: 256 }))).toContain(told);
  expect(words(foundFour({}, { serverRssMbMax: 200, serverMemoryLimitMb: 256 }))).toContain(nothingFull);
});

test('what the server uses is not held against the limit of another container that a page tells of', () => {
  const memory = { limitMemoryMbMax: 500, serverMemoryLimitMb: 1000 };
  expect(words(foundFour({}, { ...memory, serverRssMbMax: 990 }))).toContain(nothingFull);
  expect(words(foundFour({}, { ...memory, serverRssMbMax: 70, limitMemoryMbMax: 980 }))).toContain(
    "The server's memory: 980 of the 1000 MB",
  );
  const quota = { serverCpuQuotaCores: 0.9, quotaCoresMean: 0.62, serverThrottledPercent: 41, serverCoresMean: 2 };
  for (const facts of [{}, { cpuLimitCores: 4 }]) {
    const told = words(foundFour(facts, quota));
    expect(told).toContain('throttled in 41 % of its periods; over the whole window 0.62 cores were in use.');
    expect(told).not.toContain("The server's CPU:");
  }
});

test('the CPU and the throttled periods that are told together are those of one trial', () => {
  const run = foundFour({ cpuLimitCores: 0.5 }, { serverCoresMean: 0.49, serverThrottledPercent: 0 });
  const [failing] = run.records.slice(-1);
  const load = { serverCoresMean: 0.2, serverThrottledPercent: 73 };
  const again = failing && { ...failing, index: 9, load: { ...failing.load, ...load } };
  const told = words({ ...run, records: [...run.records, ...(again ? [again] : [])] });
  expect(told).toContain('0.49 of the 0.5 cores it was given were in use at 4 calls, and it was throttled in 0 %');
});

test('what a page of metrics tells of a host far away is named when it ran out there', () => {
  const full = {
    serverHostCores: 4,
    serverHostBusyPercentMean: 97,
    serverHostMemoryMb: 8000,
    serverHostMemoryMbMin: 90,
  };
  const told = words(foundFour({}, { ...full, serverHostLinkPercentMean: 94 }));
  expect(told).toContain("The CPU of the server's host: 3.88 of the 4 cores were in use at 4 calls.");
  expect(told).toContain("The memory of the server's host: 90 of its 8000 MB were left at 4 calls.");
  expect(told).toContain(
    "The network of the server's host: its fullest device carried 94 % of what it can at 4 calls.",
  );
  const taken = words(foundFour({}, { ...full, serverHostStolenPercentMean: 47 }));
  expect(taken).toContain('2.00 of the 4 cores were in use at 4 calls, and 1.88 were taken by a hypervisor.');
  const idle = { ...full, serverHostBusyPercentMean: 80, serverHostMemoryMbMin: 900, serverHostLinkPercentMean: 60 };
  expect(words(foundFour({}, idle))).toContain(nothingFull);
});

test('a full host is named though another one, with more cores, was the busiest at the sizes that held', () => {
  const held = { serverHostCores: 32, serverHostBusyPercentMean: 50 };
  expect(words(foundFour({}, { serverHostCores: 16, serverHostBusyPercentMean: 98.75 }, [held]))).toContain(
    "The CPU of the server's host: 15.80 of the 16 cores were in use at 4 calls.",
  );
});

test('an up-link is full when it carries its limit and packets were dropped, and only then', () => {
  const limited = { egressLimitBps: 3_000_000 };
  expect(words(foundFour(limited, { serverEgressMbpsMean: 2.98, serverEgressDropped: 1234 }))).toContain(
    'The up-link of the server (3 Mbit/s) is full: the server sent 2.98 Mbit/s at 4 calls, and 1234 packets were dropped.',
  );
  const spared = foundFour(limited, { serverEgressMbpsMean: 2.5, serverEgressDropped: 12 });
  expect(words(spared)).toContain(nothingFull);
  const exact = foundFour(limited, { serverEgressMbpsMean: 2.98, serverEgressDropped: 0 });
  expect(words(exact)).toContain(nothingFull);
});

test('what is as full at the sizes that hold did not run out', () => {
  const limited = { cpuLimitCores: 1 };
  const polls = [{ serverCoresMean: 0.98 }, { serverCoresMean: 0.99 }];
  expect(words(foundFour(limited, { serverCoresMean: 0.97 }, polls))).toContain(nothingFull);
});

test('what was full already at a size that held is told with that', () => {
  const held = [{ serverCoresMean: 0.4 }, { serverCoresMean: 0.79 }, { serverCoresMean: 0.98 }];
  expect(words(foundFour({ cpuLimitCores: 1 }, { serverCoresMean: 0.99 }, held))).toContain(
    "The server's CPU: 0.99 of the 1 cores it was given were in use at 4 calls. It was full from 3 calls on, which held.",
  );
});

test('a thread that is full is named on a server with cores to spare, with how long it waited to run', () => {
  const full = { serverCoresMean: 1.3, serverThread: { name: 'mixer', coresMean: 0.97, waitedPercent: 12.4 } };
  const held = [{ serverCoresMean: 0.3, serverThread: { name: 'mixer', coresMean: 0.25, waitedPercent: 0.1 } }];
  expect(words(foundFour({}, full, held))).toContain(
    'What ran out The thread "mixer" of the server had no more than its one core: 0.97 of it were in use at 4 calls, and it waited for a CPU in 12.4 % of the time.',
  );
  expect(words(foundFour({}, full, [full]))).toContain(nothingFull);
});

function withResets(...resets: readonly Partial<ResetProof>[]): FinishedRun {
  const records = resets.map((reset, index): TrialRecord => {
    const record = aRecord(calls(1), { index: index + 1, size: 1 });
    return { ...record, reset: { how: 'listed', tookMs: 1, released: 0, foreign: 0, ...reset } };
  });
  return aRun(records, { outcome: 'found', stable: 1 });
}

test('memory that grows by more than a fifth after warming up is told, and what grows while warming up is not', () => {
  const leaking = withResets({ rssMb: 30 }, { rssMb: 60 }, { rssMb: 70 }, { rssMb: 80 }, { rssMb: 95 });
  expect(memoryGrowth(leaking)).toEqual({ fromMb: 70, toMb: 95, fromTrial: 3, toTrial: 5 });
  expect(words(leaking)).toContain('70 MB after the reset of trial 3, 95 MB after that of trial 5');
  expect(memoryGrowth(withResets({ rssMb: 30 }, { rssMb: 60 }, { rssMb: 70 }, { rssMb: 83 }))).toBeUndefined();
});

test('a server that is restarted before each trial cannot leak over a run', () => {
  const resets = [30, 60, 70, 95].map((rssMb) => ({ rssMb, restartMs: 100 }));
  expect(memoryGrowth(withResets(...resets))).toBeUndefined();
});

test('a server that cannot prove that it is clean says so, one that lists its sessions says nothing', () => {
  const unproven = 'nothing shows that the server was clean before each trial';
  expect(words(withResets({ how: 'not-provable' }))).toContain(unproven);
  expect(words(withResets({ how: 'idle' }))).toContain('clean before each trial was seen by its CPU and memory alone');
  for (const how of ['listed', 'restarted'] as const) {
    expect(words(withResets({ how }))).not.toContain('clean before each trial');
  }
});

function hearing(said: readonly (readonly [string, boolean])[], mixed: boolean): FinishedRun {
  const record = aRecord(calls(1), { index: 1, size: 1 });
  const probes = record.probes.map((probe) => {
    const legs = probe.participant.legs.map((leg) => (mixed ? { ...leg, from: { mix: true as const } } : leg));
    return { ...probe, participant: { ...probe.participant, legs } };
  });
  const events = said.map(
    ([leg, begun]): TrialEvent => ({ type: 'server', kind: 'transcoding', atMs: 1, leg, media: 'video', begun }),
  );
  return aRun([{ ...record, probes, events }], { outcome: 'found', stable: 1 });
}

test('transcoding where there should be forwarding is one warning; mixing and its absence are none', () => {
  const said = [
    ['1a', true],
    ['1a', true],
    ['1b', false],
  ] as const;
  expect(transcodedLegs(hearing(said, false))).toBe(1);
  expect(words(hearing(said, false))).toContain('the server transcoded on 1 leg where it should only forward');
  expect(transcodedLegs(hearing(said, true))).toBe(0);
  expect(transcodedLegs(hearing([['1b', false]], false))).toBe(0);
});
