import { judge } from '../../analysis/judge/judge.js';
import { summariseStreams } from '../../analysis/measure/window.js';
import type { FinishedRun } from '../../model/finished-run.js';
import type { LoadSummary } from '../../model/load-summary.js';
import { planSchema } from '../../model/plan.js';
import type { Answer, Manifest, ServerFacts, StepReason } from '../../model/run.js';
import type { TrialRecord } from '../../model/trial.js';
import { embeddedAbilities } from '../../server-setup/embedded/abilities.js';
import type { ProbeBuilder } from './probe-builder.js';
import { aTrial, startMs, type TrialOptions } from './trial-builder.js';

/** A manifest of a one-to-one run on the embedded server. */
export function aManifest(server: Partial<ServerFacts> = {}): Manifest {
  return {
    format: 2,
    loadline: '0.1.0',
    startedAt: '2026-01-02T03:04:05.000Z',
    command: ['find', 'one-to-one'],
    plan: planSchema.parse({ scenario: 'one-to-one', server: { kind: 'embedded' } }),
    unit: { one: 'call', many: 'calls' },
    server: {
      kind: 'embedded',
      nature: 'for-trying',
      abilities: embeddedAbilities,
      name: 'embedded 0.1.0',
      version: '0.1.0',
      url: 'ws://127.0.0.1:8888/kurento',
      sameHost: true,
      ...server,
    },
    host: { cores: 4, cpuModel: 'a cpu', memoryMb: 8000, kernel: '6.1', os: 'linux', node: '20.20.0' },
    chromium: { path: '/usr/bin/chromium', version: '141.0' },
  };
}

interface RecordOptions extends TrialOptions {
  readonly index: number;
  readonly size: number;
  readonly why?: StepReason;
  readonly load?: Partial<LoadSummary>;
}

/** The record that the real judge and aggregates make of these probes. */
export function aRecord(probes: readonly ProbeBuilder[], options: RecordOptions): TrialRecord {
  const input = aTrial(probes, options);
  const participants = input.probes.map((probe) => probe.participant);
  const beganMs = startMs + options.index * 100_000;
  return {
    index: options.index,
    size: options.size,
    probesAsked: input.probesAsked,
    probesUp: input.probes.filter((probe) => probe.up).length,
    why: options.why ?? 'grow',
    startedAtMs: beganMs,
    endedAtMs: beganMs + 95_000,
    phases: [],
    ...(input.window ? { window: input.window } : {}),
    probes: input.probes,
    streams: input.window ? summariseStreams(input.samples, participants, input.window) : [],
    events: input.events,
    verdict: judge(input),
    load: {
      probeHostBusyPercentMean: 25,
      probeHostBusyPercentMax: 31,
      probeCoresMean: 0.8,
      serverCoresMean: 0.1,
      serverRssMbMax: 85,
      samplesExpected: input.probesAsked * 59,
      samplesGot: input.samples.length - input.probesAsked,
      lateMsMax: 12,
      ...options.load,
    },
  };
}

export function aRun(
  records: readonly TrialRecord[],
  answer: Partial<Answer> & Pick<Answer, 'outcome' | 'stable'>,
  server: Partial<ServerFacts> = {},
): FinishedRun {
  return {
    manifest: aManifest(server),
    records,
    answer: { unstable: null, flaky: [], because: 'The search ended here.', ...answer },
    runDirectory: 'runs/2026-01-02T03-04-05-one-to-one',
  };
}
