import { type Plan, planSchema } from '../model/plan.js';
import type { RunEvent } from '../model/run-event.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import { type SimulationOptions, simulatedParts } from '../simulation/simulated-parts.js';
import type { Sink } from '../store/sink.js';
import type { Parts } from '../trial/parts.js';

export const startMs = Date.UTC(2026, 10, 21, 14, 3, 12);

export function aPlan(changes: Partial<Plan['search']> = {}, timing: Partial<Plan['timing']> = {}): Plan {
  return planSchema.parse({
    scenario: 'one-to-one',
    server: { kind: 'embedded' },
    search: { within: 1, ...changes },
    // Simulated servers are never cold, whatever they stand for.
    timing: { pacePerSecond: 10, warmUp: false, ...timing },
  });
}

interface SimulatedRun {
  readonly parts: Parts;
  readonly events: RunEvent[];
}

/** Parts of a run on a simulated server, its events kept; `changes` replaces parts by the test's own. */
export function aSimulatedRun(options: Partial<SimulationOptions> = {}, changes: Partial<Parts> = {}): SimulatedRun {
  const events: RunEvent[] = [];
  const simulated = simulatedParts({ scenario: oneToOne, capacity: 18, seed: 7, startMs, ...options });
  const parts: Parts = {
    ...simulated,
    sinks: [],
    host: { cores: 8, cpuModel: 'none', memoryMb: 16_000, kernel: '', os: '', node: '' },
    chromium: { path: 'none', version: 'none' },
    runDirectory: '/dev/null/none',
    loadlineVersion: '0.1.0',
    command: ['loadline', 'simulate'],
    listener: (event) => events.push(event),
    ...changes,
  };
  return { parts, events };
}

/** A sink that keeps everything in memory. */
export function aMemorySink(): Sink & { readonly kept: string[] } {
  const kept: string[] = [];
  return {
    kept,
    description: 'memory',
    open: async (manifest) => void kept.push(`open ${manifest.server.kind}`),
    writeSamples: (trial, samples) => void kept.push(`samples ${trial} ${samples.length}`),
    writeTrial: async (record) => void kept.push(`trial ${record.index} ${record.size} ${record.verdict.kind}`),
    writeAnswer: async (answer) => void kept.push(`answer ${answer.outcome}`),
    close: async () => void kept.push('close'),
  };
}
