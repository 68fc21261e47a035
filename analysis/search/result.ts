import type { Answer, Manifest, RunResult } from '../../model/run.js';
import type { TrialRecord } from '../../model/trial.js';

/** A run as its directory holds it. */
export interface FinishedRun {
  readonly manifest: Manifest;
  /** In the order of execution, void ones included. */
  readonly records: readonly TrialRecord[];
  readonly answer: Answer;
  readonly runDirectory: string;
}

/** The document that `--format json` prints: a contract with scripts. */
export function runResult({ manifest, records, answer, runDirectory }: FinishedRun): RunResult {
  const { stable, unstable, flaky, failedBelow, outcome, because, cutShort, drift } = answer;
  return {
    scenario: manifest.plan.scenario,
    server: manifest.server.name,
    unit: manifest.unit?.many ?? 'sessions',
    limit: { stable, unstable, flaky, ...(failedBelow ? { failedBelow } : {}) },
    probesAtLimit: probesAt(records, stable),
    outcome,
    trials: records.map(({ size, probesAsked, verdict, warmUp }) => ({
      size,
      probes: probesAsked,
      verdict: verdict.kind,
      reasons: verdict.reasons.map(({ code, probe, session, text }) => ({
        code,
        ...(probe === undefined ? {} : { probe }),
        ...(session === undefined ? {} : { session }),
        text,
      })),
      ...(warmUp ? { warmUp } : {}),
    })),
    runDirectory,
    because,
    ...(cutShort ? { cutShort } : {}),
    ...(drift ? { drift } : {}),
  };
}

/** Probes that a trial of this size asks for; 0 when none of this size was run. */
export function probesAt(records: readonly TrialRecord[], size: number): number {
  return records.find((record) => record.size === size)?.probesAsked ?? 0;
}
