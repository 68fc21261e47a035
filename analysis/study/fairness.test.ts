import { expect, test } from '@playwright/test';
import type { StreamSummary, TrialRecord } from '../../model/trial.js';
import { aRun } from '../../tests/builders/run-builder.js';
import { aRecord } from '../../tests/stored-run.js';
import { unlikeSentences } from './fairness.js';

const stream = (direction: 'send' | 'receive', bitrateKbps: number): StreamSummary => ({
  probe: '1a',
  leg: '1a',
  direction,
  kind: 'video',
  values: { bitrateKbps },
});

interface Told extends Partial<TrialRecord> {
  readonly kbps?: number;
  readonly stolen?: number;
  readonly probeCores?: number;
}

/** Two runs of a trial each. */
const runsOf = ({ kbps = 500, stolen = 0, probeCores = 0.8, ...more }: Told = {}, server = {}) =>
  [1, 2].map((round) =>
    aRun(
      [
        aRecord(1, {
          streams: [stream('send', kbps), stream('receive', kbps)],
          load: {
            samplesExpected: 1,
            samplesGot: 1,
            probeHostStolenPercentMean: stolen,
            probeCoresMean: round === 1 ? 0.8 : probeCores,
          },
          ...more,
        }),
      ],
      { outcome: 'found', stable: 1, unstable: 2 },
      { sameHost: false, ...server },
    ),
  );

const told = (runs: ReturnType<typeof runsOf>) =>
  unlikeSentences([
    { server: 'a', runs: runsOf() },
    { server: 'b', runs },
  ]);

test('where all was alike nothing is told', () => {
  expect(told(runsOf())).toEqual([]);
});

test('rates are compared as they were measured, on the way in and out', () => {
  expect(told(runsOf({ kbps: 400 }))).toEqual([
    'Video sent to the servers had not the same rate (kbit/s): a 500, b 400.',
    'Video received from the servers had not the same rate (kbit/s): a 500, b 400.',
  ]);
  expect(told(runsOf({ streams: [stream('send', 500)] }))).toEqual([
    'The rate of video received from b was not measured.',
  ]);
});

test('a server that was given less, a cold one, a disturbed machine and one that is shared are told', () => {
  expect(told(runsOf({}, { cpuLimitCores: 0.5 }))).toEqual(['Not the same for all: CPU given, cores (a –, b 0.5).']);
  expect(told(runsOf({ warmUp: { startedAtMs: 1, endedAtMs: 2, probesAsked: 2, probesUp: 2 } as never }))).toEqual([
    'Not all were warmed up before they were judged: a in 0 of 2 runs, b in 2 of 2 runs.',
  ]);
  expect(told(runsOf({ stolen: 21 }))).toEqual([
    "Other virtual machines took up to 21 % of the probe host's CPU from b, and more than 5 % in 2 of 2 trials.",
  ]);
  expect(told(runsOf({ probeCores: 1.2 }))).toEqual([
    'The machine was not still: the smallest size on b took the probes 0.8 to 1.2 cores, from round to round.',
  ]);
  expect(told(runsOf({}, { sameHost: true })).at(-1)).toBe(
    "Probes and b share a machine: without a limit of its own a server's limit is the machine's.",
  );
});
