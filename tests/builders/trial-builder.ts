import type { JudgeInput } from '../../analysis/judge/judge-input.js';
import type { ProbeHostReading, ServerReading } from '../../model/evidence.js';
import { mediaSchema, thresholdsSchema, timingSchema } from '../../model/plan.js';
import type { Sample } from '../../model/sample.js';
import type { Baseline, TrialEvent } from '../../model/trial.js';
import { once } from '../once.js';
import { baselineOf } from './baseline-of.js';
import { aProbe, type ProbeBuilder } from './probe-builder.js';

export const startMs = 1_000_000;

/** Both ends of one call, or of several: `calls(2)` is 1a, 1b, 2a and 2b, all healthy. */
export function calls(count: number): ProbeBuilder[] {
  return Array.from({ length: count }, (_, index) => [aProbe(`${index + 1}a`), aProbe(`${index + 1}b`)]).flat();
}

/** These probes with the ones of the same id replaced. */
export function withProbes(probes: readonly ProbeBuilder[], ...changed: readonly ProbeBuilder[]): ProbeBuilder[] {
  return probes.map((probe) => changed.find((other) => other.id === probe.id) ?? probe);
}

export interface TrialOptions {
  readonly seconds?: number;
  readonly asked?: number;
  /** `null` for the baseline trial itself. */
  readonly baseline?: Baseline | null;
  readonly host?: (second: number) => Partial<ProbeHostReading>;
  readonly server?: (second: number) => Partial<ServerReading>;
  readonly events?: readonly TrialEvent[];
  readonly sameHost?: boolean;
  readonly serverApart?: boolean;
  readonly interrupted?: boolean;
  readonly window?: JudgeInput['window'] | null;
}

const secondsOf = (count: number) => Array.from({ length: count }, (_, index) => index);

/** What one healthy call gets alone: 500 kbit/s and 30 fps of video, 40 kbit/s of audio. */
export const healthyBaseline = once((): Baseline => {
  const probes = calls(1);
  const samples = probes.flatMap((probe) => probe.samples(startMs, 60));
  const participants = probes.map((probe) => probe.participant());
  return baselineOf(samples, participants, { startMs, endMs: startMs + 60_000 });
});

/** With its samples as they are, which tests change. */
export interface WholeTrial extends JudgeInput {
  readonly samples: readonly Sample[];
}

/** A trial of these probes on a quiet host of 4 cores, measured for a minute against the healthy baseline. */
export function aTrial(probes: readonly ProbeBuilder[], options: TrialOptions = {}): WholeTrial {
  const seconds = options.seconds ?? 60;
  const window = options.window === undefined ? { startMs, endMs: startMs + seconds * 1000 } : options.window;
  return {
    thresholds: thresholdsSchema.parse({}),
    baseline: options.baseline === undefined ? healthyBaseline() : options.baseline,
    media: mediaSchema.parse({}),
    timing: timingSchema.parse({ measureMs: seconds * 1000 }),
    mixedFps: 15,
    load: { by: 'sessions' },
    probesAsked: options.asked ?? probes.length,
    probes: probes.map((probe) => probe.record()),
    samples: probes.flatMap((probe) => probe.samples(startMs, seconds)),
    window: window ?? undefined,
    evidence: {
      probeHost: secondsOf(seconds).map((second) => ({
        atMs: startMs + (second + 1) * 1000,
        cores: 4,
        busyCores: 1,
        stealCores: 0,
        probeCores: 0.8,
        memoryAvailableMb: 8000,
        ...options.host?.(second),
      })),
      server: secondsOf(seconds).map((second) => ({
        atMs: startMs + (second + 1) * 1000,
        cpuCores: 0.1,
        ...options.server?.(second),
      })),
    },
    events: options.events ?? [],
    sameHost: options.sameHost ?? true,
    serverApart: options.serverApart,
    interrupted: options.interrupted ?? false,
  };
}
