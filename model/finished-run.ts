import type { Answer, Manifest } from './run.js';
import type { TrialRecord } from './trial.js';

/** A run as its directory holds it. */
export interface FinishedRun {
  readonly manifest: Manifest;
  /** In the order of execution, void ones included. */
  readonly records: readonly TrialRecord[];
  readonly answer: Answer;
  readonly runDirectory: string;
  /** Trials whose samples are stored no more, by number; absent: all are. */
  readonly samplesAbsent?: readonly number[];
  /** What `--resume` takes again of its plan: flags with their values. Absent: nothing. */
  readonly givenAgain?: readonly string[];
}

/** What became of the size that had to be held. */
export interface Requirement {
  readonly size: number;
  readonly answer: 'yes' | 'no' | 'unknown';
  /** The larger size whose passes are also its own: "3 calls"; absent: its own trials say it, or it is not met. */
  readonly heldBy?: string;
  readonly text: string;
}
