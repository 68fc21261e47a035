import type { ProbeArtifacts } from '../model/artifacts.js';
import type { Evidence } from '../model/evidence.js';
import type { Answer, Manifest, RunResult } from '../model/run.js';
import type { RunEvent } from '../model/run-event.js';
import type { Sample } from '../model/sample.js';
import type { TrialRecord } from '../model/trial.js';

/** Where a run's results go. The run directory is the truth; every other sink is a copy. */
export interface Sink {
  /** For people: `run directory runs/…`, `InfluxDB http://127.0.0.1:8086 (database loadline)`. */
  readonly description: string;
  /** A copy of the run directory; absent for that itself. */
  readonly isCopy?: true;
  open(manifest: Manifest): Promise<void>;
  /** Queues; never blocks a trial. */
  writeSamples(trialIndex: number, samples: readonly Sample[]): void;
  /** Queues what a person watching would see; absent where a sink has no use for it. */
  writeEvent?(event: RunEvent): void;
  /** Queues the latest readings of the machines, of which some may have been told before; `writeTrial` has them all. */
  writeReadings?(trialIndex: number, latest: Evidence): void;
  /** Queues what is kept of a probe that failed. */
  writeArtifacts?(trialIndex: number, artifacts: ProbeArtifacts): void;
  /** Resolves when the record is safe: called before the next step is asked for. */
  writeTrial(record: TrialRecord, evidence: Evidence): Promise<void>;
  writeAnswer(answer: Answer, result: RunResult): Promise<void>;
  /** Ends what was queued. Idempotent; never rejects. */
  close(): Promise<void>;
  /** After `close`: a line about what became of everything, for whoever started the run. */
  account?(): string;
}
