import type { Manifest } from '../../model/run.js';
import type { Bracket, RunEvent, TrialProgress } from '../../model/run-event.js';
import type { PhaseName } from '../../model/trial.js';
import type { VerdictKind } from '../../model/verdict.js';

/** What the live view knows, made from run events alone. */
export interface LiveState {
  readonly manifest?: Manifest;
  readonly bracket: Bracket;
  readonly trial?: RunningTrial;
  readonly ended: readonly EndedTrial[];
}

export interface RunningTrial {
  readonly index: number;
  readonly size: number;
  readonly probes: number;
  readonly phase?: PhaseName;
  readonly progress?: TrialProgress;
  /** A trial in which a hundred probes fail says so once; the rest is in the record. */
  readonly failuresShown: number;
}

interface EndedTrial {
  readonly size: number;
  readonly verdict: VerdictKind;
  readonly tookMs: number;
}

export const nothingYet: LiveState = { bracket: { stable: null, unstable: null }, ended: [] };

export function advance(state: LiveState, event: RunEvent): LiveState {
  switch (event.type) {
    case 'run-started':
      return { ...state, manifest: event.manifest };
    case 'trial-started': {
      const { index, size, probes } = event;
      return { ...state, trial: { index, size, probes, failuresShown: 0 } };
    }
    case 'phase':
      return state.trial ? { ...state, trial: entering(state.trial, event.phase) } : state;
    case 'second':
      return state.trial
        ? { ...state, trial: { ...state.trial, phase: event.progress.phase, progress: event.progress } }
        : state;
    case 'trial-event':
      return state.trial && event.event.type === 'probe-failed'
        ? { ...state, trial: { ...state.trial, failuresShown: state.trial.failuresShown + 1 } }
        : state;
    case 'trial-ended': {
      const { size, verdict, startedAtMs, endedAtMs } = event.record;
      const ended = [...state.ended, { size, verdict: verdict.kind, tookMs: endedAtMs - startedAtMs }];
      return without({ ...state, bracket: event.bracket, ended });
    }
    case 'warmed-up':
      return state;
    case 'run-ended':
      return without(state);
  }
}

/** Progress of the phase before says nothing of this one. */
function entering(trial: RunningTrial, phase: PhaseName): RunningTrial {
  const { progress, ...rest } = trial;
  return progress?.phase === phase ? { ...rest, phase, progress } : { ...rest, phase };
}

function without(state: LiveState): LiveState {
  const { trial: _, ...rest } = state;
  return rest;
}

/**
 * A rough time to the end, milliseconds: the steps that a bisection still needs, times the mean length of the trials so
 * far. Undefined while the search is still growing, and where it goes in steps or through a list: then nobody knows.
 */
export function estimateLeftMs(state: LiveState): number | undefined {
  const { bracket, manifest, ended } = state;
  if (!manifest || ended.length === 0 || bracket.stable === null || bracket.unstable === null) return undefined;
  const { confirm, refute, strategy = 'bisect' } = manifest.plan.search;
  if (strategy !== 'bisect') return undefined;
  const bisections = Math.ceil(Math.log2(Math.max(1, bracket.unstable - bracket.stable)));
  const passes = Math.max(0, confirm - countOf(ended, bracket.stable, 'stable'));
  const failures = Math.max(0, refute - countOf(ended, bracket.unstable, 'unstable'));
  const meanMs = ended.reduce((sum, one) => sum + one.tookMs, 0) / ended.length;
  return (bisections + passes + failures) * meanMs;
}

function countOf(ended: readonly EndedTrial[], size: number, verdict: VerdictKind): number {
  return ended.filter((one) => one.size === size && one.verdict === verdict).length;
}
