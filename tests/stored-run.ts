import { planSchema } from '../model/plan.js';
import type { Manifest } from '../model/run.js';
import type { Sample } from '../model/sample.js';
import type { TrialRecord } from '../model/trial.js';
import { embeddedAbilities } from '../server-setup/embedded/abilities.js';

/** A manifest, records and samples for tests of what is stored; their content is beside the point. */
export function aManifest(changes: Partial<Manifest> = {}): Manifest {
  return {
    format: 2,
    loadline: '0.1.0',
    startedAt: '2026-11-21T14:03:12.000Z',
    command: ['loadline', 'find', 'one-to-one'],
    plan: planSchema.parse({ scenario: 'one-to-one', server: { kind: 'embedded' } }),
    server: {
      kind: 'embedded',
      nature: 'for-trying',
      abilities: embeddedAbilities,
      name: 'embedded 0.1.0',
      version: '0.1.0',
      url: 'ws://127.0.0.1:1/kurento',
      sameHost: true,
    },
    host: { cores: 2, cpuModel: 'x', memoryMb: 1024, kernel: '6.1', os: 'linux', node: '20.20.0' },
    chromium: { path: '/usr/bin/chromium', version: '156' },
    ...changes,
  };
}

export function aRecord(index: number, changes: Partial<TrialRecord> = {}): TrialRecord {
  const startedAtMs = 1_700_000_000_000 + index * 100_000;
  return {
    index,
    size: index,
    probesAsked: 2 * index,
    probesUp: 2 * index,
    why: 'grow',
    startedAtMs,
    endedAtMs: startedAtMs + 90_000,
    phases: [{ phase: 'reset', startedAtMs, endedAtMs: startedAtMs + 5 }],
    window: { startMs: startedAtMs + 20_000, endMs: startedAtMs + 80_000 },
    probes: [],
    streams: [],
    events: [{ type: 'warning', atMs: startedAtMs, text: 'a warning with "quotes", a\nnew line and ünïcode' }],
    verdict: { kind: 'stable', reasons: [], thresholds: [] },
    load: { samplesExpected: 120, samplesGot: 120 },
    ...changes,
  };
}

export function aSample(probe: string, atMs: number): Sample {
  return {
    probe,
    atMs,
    intervalMs: 1000,
    lateMs: 1.5,
    legs: [{ leg: probe, connectionState: 'connected', rttMs: 2 }],
    streams: [
      { leg: probe, direction: 'receive', kind: 'video', metrics: { bytesReceived: 62_500, framesDecoded: 30 } },
    ],
  };
}
