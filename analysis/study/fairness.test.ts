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

test('sound is compared as pictures are, and where there are no pictures nothing is said of them', () => {
  const sound = (bitrateKbps: number) => ({ ...stream('send', bitrateKbps), kind: 'audio' as const });
  const heard = (bitrateKbps: number) => ({ ...stream('receive', bitrateKbps), kind: 'audio' as const });
  const of = (server: string, kbps: number) => ({ server, runs: runsOf({ streams: [sound(32), heard(kbps)] }) });
  expect(unlikeSentences([of('a', 32), of('b', 64)])).toEqual([
    'Sound received from the servers had not the same rate (kbit/s): a 32, b 64.',
  ]);
});

test('servers on other cores than each other, and on those of the probes, are told', () => {
  const on = (server: string, own: string, probes: string) => ({
    server,
    runs: runsOf().map((run) => {
      const labels = { server_cpus: own, probe_cpus: probes };
      return { ...run, manifest: { ...run.manifest, labels } };
    }),
  });
  expect(unlikeSentences([on('a', '2', '0-1+3'), on('b', '2', '0-1+3')])).toEqual([]);
  expect(unlikeSentences([on('a', '2', '0-1'), on('b', '1-2', '0-1')])).toEqual([
    'Not the same for all: cores that the server may run on (a 2, b 1-2).',
    'Probes and server may run on the same cores: b.',
  ]);
});

test('where no run shows the cores or the memory that a study gave a server, that is told', () => {
  const given = { cores: 0.5, memoryBytes: 512e6 };
  const of = (server: object) => unlikeSentences([{ server: 'a', runs: runsOf({}, server), given }]);
  const sentence = 'No run shows that a was held to the cores or memory that it was given.';
  expect(of({})).toContain(sentence);
  expect(of({ heldTo: { cores: 0.5 } })).toContain(sentence);
  expect(of({ heldTo: { cores: 0.5, memoryMb: 512 } })).toEqual([]);
});

test('the machine is called unstill by one size alone: a round whose smallest size was void says nothing of it', () => {
  const [one, other] = runsOf();
  const load = { samplesExpected: 1, samplesGot: 1, probeCoresMean: 3 };
  const larger = { ...other, records: [aRecord(2, { size: 16, load })] } as NonNullable<typeof other>;
  const runs = one ? [one, larger] : [];
  expect(unlikeSentences([{ server: 'a', runs }])).toEqual([]);
});
