import type { EnvironmentVariable } from '../model/environment.js';
import type { LoadlineError } from '../model/errors.js';
import type { PointSink } from './points/point-sink.js';

/** A kind of place that runs are copied to: what the command line, plan files and `export` know of it. */
export interface SinkKind {
  /** Its flag and its key in a plan file: `influx` is `--influx`. */
  readonly name: string;
  /** What the flag takes, for help: `url`. */
  readonly takes: string;
  /** What the flag does, for the help of `find` and `try`, and of `export`. */
  readonly summary: string;
  /** Absent where a stored run cannot be sent: what is shown of now is of no use later. */
  readonly exportSummary?: string;
  /** A section of help: what can be written behind the flag, and where a login is taken from. */
  readonly help: string;
  /** What it reads of the environment: logins, which stand in no flag. Absent: nothing. */
  readonly environment?: readonly EnvironmentVariable[];
  /** What a plan file's value has to be: "must be an address: …". */
  readonly mustBe: string;
  /** Checks what stands behind the flag; opens nothing. Throws a LoadlineError with exit code 2. */
  read(text: string, choices: SinkChoices): AskedSink;
}

/** What holds for all places of a run. */
export interface SinkChoices {
  /** Those that hold series get the points of each probe, too, and not of groups alone. */
  readonly perProbe: boolean;
}

/** A place that was asked for, checked and not yet opened. */
export interface AskedSink {
  readonly kind: SinkKind;
  /** For people, without a login. */
  readonly description: string;
  /** Loads what it needs; whoever is not there yet is found out by sending. */
  open(surroundings: SinkSurroundings): Promise<PointSink>;
  /** Why an export failed, and what to do: points were not taken. */
  notTaken(lost: number, why: string): LoadlineError;
}

interface SinkSurroundings {
  /** Where logins are: never in a flag or in a file of the run. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Told once when sending fails, and once when it works again: "does not take points (ECONNREFUSED); …". */
  readonly onTrouble: (text: string) => void;
  /** How long nothing may be written before the rest is given up, milliseconds. Without it: not before `close`. */
  readonly patienceMs?: number;
}
