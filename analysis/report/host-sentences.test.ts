import { expect, test } from '@playwright/test';
import type { HostLoadSummary } from '../../model/load-summary.js';
import type { ProbeHost } from '../../model/probe-host.js';
import type { TrialEvent, TrialRecord } from '../../model/trial.js';
import { aRecord, aRun } from '../../tests/builders/run-builder.js';
import { calls } from '../../tests/builders/trial-builder.js';
import { reportDocument } from './document.js';
import { hostAccounts } from './host-accounts.js';
import { hostSection, hostSentences, lateStartSentences } from './host-sentences.js';
import { plainStyle } from './layout.js';

const load: Omit<HostLoadSummary, 'host'> = {
  probes: 4,
  probesUp: 4,
  busyPercentMean: 40,
  busyPercentMax: 55,
  probeCoresMean: 1.4,
  stolenPercentMean: 0,
  memoryMbMin: 5210,
  samplesExpected: 240,
  samplesGot: 240,
};

/** A trial of calls whose callers are on host a and callees on host b. */
function trialOn(
  index: number,
  hosts: readonly [ProbeHost, ProbeHost],
  loads: readonly [Partial<HostLoadSummary>, Partial<HostLoadSummary>] = [{}, {}],
  more: Partial<TrialRecord> = {},
): TrialRecord {
  const record = aRecord(calls(4), { index, size: 4, seconds: 12 });
  const probes = record.probes.map((probe, nth) => ({ ...probe, host: hosts[nth % 2]?.id ?? '' }));
  const perHost = hosts.map(({ id }, nth) => ({ host: id, ...load, ...loads[nth] }));
  return { ...record, hosts, probes, load: { ...record.load, hosts: perHost }, ...more };
}

const a: ProbeHost = { id: 'a', place: 'eu-west', cores: 4, carries: 8 };
const b: ProbeHost = { id: 'b', cores: 2, clock: { offsetMs: -7000, boundMs: 3, drift: { ppm: 200, boundPpm: 5 } } };
const runOf = (...records: TrialRecord[]) => aRun(records, { outcome: 'found', stable: 4 });

test('the table has a line for each host with its worst trial, and a dash for what is not known', () => {
  const run = runOf(
    trialOn(1, [a, b]),
    trialOn(2, [a, b], [{ busyPercentMean: 63, busyPercentMax: 97 }, { memoryMbMin: 900 }]),
  );
  const lines = hostSection(run, plainStyle);
  expect(lines.slice(1, 4)).toEqual([
    '    host           place      cores probes  CPU % worst s steal % free MB link %',
    '    a              eu-west        4      4     63      97       0    5210      –',
    '    b              –              2      4     40      55       0     900      –',
  ]);
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
});

test('clocks are told by the vaguest, the furthest off and the fastest', () => {
  const vague: ProbeHost = { ...a, clock: { offsetMs: 400, boundMs: 41 } };
  expect(hostSentences(runOf(trialOn(1, [vague, b])))).toEqual([
    'Clocks were set right to within 41 ms (a; limit 250 ms); the furthest off was 7 s ahead (b); the most that one drifted is 200 ± 5 ppm (b).',
  ]);
});

test('what went wrong on a host is told of that host, and nothing of one on which nothing did', () => {
  const atMs = 1_000_000;
  const lost: TrialEvent = {
    type: 'host-lost',
    atMs,
    host: 'a',
    probes: ['1a'],
    detail: 'it has told nothing for 10 s',
  };
  const late = { ...a, beganLateMs: 80, samplesDropped: 12, batchesLost: 1 };
  const verdict = { ...trialOn(2, [a, b]).verdict, kind: 'void' as const };
  const reasons = [{ code: 'probe-cpu' as const, text: 'full', host: 'a' }];
  const run = runOf(
    trialOn(1, [late, { ...b, cores: 2 }], [{ samplesGot: 228, linkPercentMax: 98 }, {}]),
    trialOn(2, [a, b], [{}, {}], { events: [lost], verdict: { ...verdict, reasons } }),
  );
  const [, ...troubles] = hostSentences(run);
  expect(troubles).toEqual([
    'Host a (eu-west) is a reason why trial 2 is void; went away in 1 trial (2); let go of 12 samples that it could not send; had 1 batch of what it told lost on the bus; gave 468 of 480 samples; began to join its probes up to 80 ms late; had its own link full in some second (98 % of what the interface carries).',
  ]);
  expect(hostAccounts(run.records)).toMatchObject([
    { host: 'a', voidTrials: [2], lostIn: [2], trials: 2, probesMost: 4, beganLateMsMax: 80, linkPercentMax: 98 },
    { host: 'b', voidTrials: [], lostIn: [], samplesDropped: 0 },
  ]);
});

test('participants that began late are counted, and the worst is named with its host', () => {
  const record = trialOn(1, [a, b]);
  const probes = record.probes.map((probe, nth) =>
    nth < 2 ? { ...probe, join: { ...probe.join, startedLateMs: 60 + 100 * nth } } : probe,
  );
  expect(lateStartSentences(runOf({ ...record, probes }))).toEqual([
    'Starts: 2 participants began more than 50 ms later than planned, at worst 160 ms (1b on host b, trial 1).',
  ]);
  expect(lateStartSentences(runOf(record))).toEqual([]);
});

test('where all probes are on the conductor’s own host there is no section, and the document has no hosts', () => {
  const run = runOf(aRecord(calls(2), { index: 1, size: 2, seconds: 12 }));
  expect(hostSection(run, plainStyle)).toEqual([]);
  expect(reportDocument(run, [])).toMatchObject({ hosts: [], hostSentences: [] });
});

test('of a hundred hosts those with trouble are shown first, and the rest as a number', () => {
  const names = Array.from({ length: 100 }, (_, nth) => `h${String(nth).padStart(3, '0')}`);
  const record = aRecord(calls(50), { index: 1, size: 50, seconds: 12 });
  const hosts = names.map((id, nth) => ({ id, cores: 4, ...(nth === 77 ? { samplesDropped: 5 } : {}) }));
  const loads = names.map((host, nth) => ({ host, ...load, busyPercentMean: nth / 2 }));
  const probes = record.probes.map((probe, nth) => ({ ...probe, host: names[nth] ?? '' }));
  const lines = hostSection(runOf({ ...record, hosts, probes, load: { ...record.load, hosts: loads } }), plainStyle);
  expect(lines[2]).toMatch(/^ {4}h077 /);
  expect(lines[3]).toMatch(/^ {4}h099 /);
  expect(lines[14]).toBe('    and 88 others, at most 44 % busy');
});
