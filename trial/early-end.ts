import { decisiveJoining, decisivePartUntil } from '../analysis/judge/early-verdict.js';
import { type JudgeInput, judge } from '../analysis/judge/judge.js';
import type { EarlyEnd } from '../model/early-end.js';
import { judgeInputOf } from './trial-record.js';
import type { TrialState } from './trial-state.js';

/** Why there is no point in measuring, when joining is over; `undefined` when there is. */
export function earlyEndAfterJoining(state: TrialState): EarlyEnd | undefined {
  return endOf(state, 0, (input) => decisiveJoining(input));
}

/** Why the window may end at this moment, counted from its start; `undefined` when the rest can still matter. */
export function earlyEndAt(state: TrialState, startMs: number, momentMs: number): EarlyEnd | undefined {
  const window = { startMs, endMs: startMs + momentMs };
  state.intake.passUntil(window.endMs);
  return endOf(state, momentMs, (input) => decisivePartUntil({ ...input, window }, momentMs));
}

/** The first trial of a run is never ended early: it is the yardstick, and if it fails everything of it is wanted. */
function endOf(
  state: TrialState,
  afterMs: number,
  decide: (input: JudgeInput) => JudgeInput | undefined,
): EarlyEnd | undefined {
  const { plan, setting } = state;
  if (plan.timing.earlyStop === false || setting.baseline === null) return undefined;
  const part = decide(judgeInputOf(state, state.probes()));
  const verdict = part && judge(part);
  if (verdict?.kind !== 'unstable') return undefined;
  return { afterMs, because: verdict.reasons[0]?.text ?? 'It cannot become stable any more.' };
}
