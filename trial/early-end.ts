import { decisiveJoining, decisivePartUntil } from '../analysis/judge/early-verdict.js';
import { type JudgeInput, judge } from '../analysis/judge/judge.js';
import type { EarlyEnd } from '../model/early-end.js';
import type { TrialDesk } from './trial-desk.js';
import { judgeInputOf } from './trial-record.js';

/** Why there is no point in measuring, when joining is over; `undefined` when there is. */
export function earlyEndAfterJoining(desk: TrialDesk): EarlyEnd | undefined {
  return endOf(desk, 0, (input) => decisiveJoining(input));
}

/** Why the window may end at this moment, counted from its start; `undefined` when the rest can still matter. */
export function earlyEndAt(desk: TrialDesk, startMs: number, momentMs: number): EarlyEnd | undefined {
  const window = { startMs, endMs: startMs + momentMs };
  desk.intake.passUntil(window.endMs);
  return endOf(desk, momentMs, (input) => decisivePartUntil({ ...input, window }, momentMs));
}

/** The first trial of a run is never ended early: it is the yardstick, and if it fails everything of it is wanted. */
function endOf(
  desk: TrialDesk,
  afterMs: number,
  decide: (input: JudgeInput) => JudgeInput | undefined,
): EarlyEnd | undefined {
  const { plan, setting } = desk;
  if (plan.timing.earlyStop === false || setting.baseline === null) return undefined;
  const part = decide(judgeInputOf(desk, desk.probes()));
  const verdict = part && judge(part);
  if (verdict?.kind !== 'unstable') return undefined;
  return { afterMs, because: verdict.reasons[0]?.text ?? 'It cannot become stable any more.' };
}
