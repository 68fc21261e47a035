import type { Answer, Manifest, RunResult, StepReason } from './run.js';
import type { PhaseName, TrialEvent, TrialRecord } from './trial.js';
import type { WarmUp } from './warm-up.js';

/** What a person watching a run sees, in order. Views and logs are made from these alone. */
export type RunEvent =
  | {
      readonly type: 'run-started';
      readonly manifest: Manifest;
      readonly runDirectory: string;
      /** The trials of a run that is resumed. */
      readonly past?: readonly TrialRecord[];
    }
  | {
      readonly type: 'trial-started';
      readonly index: number;
      readonly size: number;
      readonly probes: number;
      readonly why: StepReason;
      readonly text: string;
    }
  | { readonly type: 'phase'; readonly index: number; readonly phase: PhaseName; readonly boundMs?: number }
  /** One session has joined and left before this trial; nothing of it is judged. */
  | { readonly type: 'warmed-up'; readonly index: number; readonly warmUp: WarmUp }
  | { readonly type: 'second'; readonly index: number; readonly progress: TrialProgress }
  | { readonly type: 'trial-event'; readonly index: number; readonly event: TrialEvent }
  | { readonly type: 'trial-ended'; readonly record: TrialRecord; readonly bracket: Bracket }
  | { readonly type: 'run-ended'; readonly answer: Answer; readonly result: RunResult };

/** The search's current interval. */
export interface Bracket {
  readonly stable: number | null;
  readonly unstable: number | null;
}

/** Once a second while probes run. */
export interface TrialProgress {
  readonly phase: PhaseName;
  readonly elapsedMs: number;
  readonly boundMs: number;
  readonly probesAsked: number;
  readonly probesUp: number;
  readonly probesFailed: number;
  /** Over the last second, the lowest of all received videos but shared screens; absent while nothing arrives. */
  readonly worstFps?: number;
  readonly serverCores?: number;
  /** Of a TURN server of ours. */
  readonly turnCores?: number;
  /** Of several probe hosts, the busiest. */
  readonly hostBusyPercent?: number;
}

export type RunListener = (event: RunEvent) => void;
