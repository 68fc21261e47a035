import type { HostFit } from '../../analysis/needs/plan-cost.js';
import type { Plan } from '../../model/plan.js';
import type { Scenario } from '../../model/scenario.js';
import type { AppAccess } from '../../probes/visit/visit-order.js';
import type { ServerKind } from '../../server-setup/server-kind.js';
import type { AskedSink } from '../../store/sink-kind.js';
import type { ResumedRun } from '../../trial/resumed-run.js';
import type { BusFlags } from './bus-flags.js';
import type { Ending } from './ending-flags.js';
import type { RunLabels } from './label-flags.js';

/** What a run is to find out: the limit, or whether the one size that it `tries` is stable. */
export interface Question {
  readonly scenario: Scenario;
  readonly tries?: number;
  /** The stored run whose answer the search starts from. */
  readonly fromRun?: string;
  /** How far this host can carry the search; absent where that was not looked at. */
  readonly fit?: HostFit;
}

/** A stored run that goes on in its own folder. */
interface ResumedFolder extends ResumedRun {
  readonly directory: string;
}

/** The flags of a command that runs trials, read and checked. */
export interface RunRequest extends Question {
  readonly plan: Plan;
  /** The server's kind; absent when the server is simulated. */
  readonly kind?: ServerKind;
  /** Of a cluster: the kind that all its servers are of. */
  readonly memberKind?: ServerKind;
  readonly chromium: string | undefined;
  /** What lets us in to the bus of the probe hosts; the paths of its files alone are known to the run. */
  readonly bus?: BusFlags;
  /** The folder in which the run's own folder is made. */
  readonly out: string;
  readonly format: Format;
  /** What is done with the answer beside; absent: nothing. */
  readonly ending?: Ending;
  /** What the run is called; absent: nothing. */
  readonly labels?: RunLabels;
  /** Where copies of every point go. */
  readonly copies?: readonly AskedSink[];
  /** The folder in which traces of pages that fail are kept; absent: none is kept. */
  readonly trace?: string;
  /** The folder for films of the first page of each trial; absent: none is filmed. */
  readonly video?: string;
  /** What is known of a visited app before a browser starts. */
  readonly app?: AppAccess;
  /** The stored run that goes on, instead of a new one. */
  readonly resumed?: ResumedFolder;
}

type Format = 'text' | 'json';
