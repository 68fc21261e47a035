import type { SearchOptions } from '../../model/plan.js';
import type { TrialOutcome } from '../../model/run.js';
import { resolutionAt } from './resolution.js';
import { isUnsure } from './unsure.js';

/**
 * Where participants join faster than the plan has it (`--pace auto`), a trial may fail because they did. Nothing that
 * failed so is the answer's unstable size before it has failed at the plan's pace, too; and it gives way to what held
 * at that pace.
 */

/** So many trials that held at the plan's pace at or above a size that failed faster show that the pace did it. */
const passesThatShow = 2;
/** After so many, no failure of faster joining says anything of this server, of whatever size. */
const passesThatShowAll = 3;

/** Whether the pace decides on this server: then the rest of the run joins as the plan has it. */
export function paceDecides(history: readonly TrialOutcome[]): boolean {
  return history.some((one) => isHastyFailure(one) && heldAbove(history, one.size) >= passesThatShow);
}

/** As if what failed because of the pace had not been tried. */
export function withoutHastyFailures(history: readonly TrialOutcome[]): readonly TrialOutcome[] {
  const held = history.filter(isHastyFailure).map(({ size }) => heldAbove(history, size));
  if (held.length === 0) return history;
  if (Math.max(...held) >= passesThatShowAll) return history.filter((one) => !isHastyFailure(one));
  const needed = paceDecides(history) ? 1 : passesThatShow;
  return history.filter((one) => !(isHastyFailure(one) && heldAbove(history, one.size) >= needed));
}

/** What is to be tried because a size failed faster and then held, and at which pace. */
export interface Doubt {
  /** Of what failed and held. */
  readonly of: number;
  readonly size: number;
  readonly atPlanPace: boolean;
}

/**
 * A size that failed faster and has held once at the plan's pace: that may be the pace, or chance.
 *
 * Where sizes lie close, one a little above tells, at the plan's pace: when it holds, too, it is the pace; when it
 * fails, it has failed at that pace, which is asked of the size above the limit anyway. Where a size is a step as large
 * as what the pace may do, that would tell nothing: there the same size comes once more as fast as it failed, which is
 * cheap; when it holds then, it was chance, and when it does not, once more at the plan's pace.
 *
 * @param top the largest size that may be tried
 */
export function doubtfulHaste(
  options: SearchOptions,
  history: readonly TrialOutcome[],
  top: number,
): Doubt | undefined {
  if (paceDecides(history)) return undefined;
  const doubtful = history.find((one) => isHastyFailure(one) && heldAbove(history, one.size, one.size) === 1);
  if (!doubtful || doubtful.size > top) return undefined;
  const { size: of } = doubtful;
  const step = resolutionAt(options, of);
  if (step === 1 || of + step > top) {
    const hasty = history.filter((one) => one.size === of && isHastyFailure(one));
    return { of, size: of, atPlanPace: hasty.length > 1 };
  }
  const nearest = Math.min(of + 2 * step, top);
  const near = history.filter((one) => one.verdict === 'unstable' && one.size > of && one.size <= nearest);
  if (near.some(({ hasty }) => !hasty)) return undefined;
  return { of, size: Math.min(of + step, ...near.map(({ size }) => size)), atPlanPace: true };
}

/** Whether all that failed at this size had joined faster than the plan has it. */
export function failedInHasteAlone(history: readonly TrialOutcome[], size: number): boolean {
  const failed = history.filter((one) => one.size === size && one.verdict === 'unstable');
  return failed.length > 0 && failed.every(isHastyFailure);
}

/** Whether the probes ran out at this size while joining faster: at the plan's pace they may not. */
export function exhaustedInHaste(history: readonly TrialOutcome[], size: number): boolean {
  return history.some((one) => one.size === size && isUnsure(one) && one.probesExhausted && one.hasty);
}

/**
 * How often sizes from this one up (to `upTo`) held in full at the plan's pace; none where one up to it failed at that
 * pace, or one from it on held as fast, for then it was not the pace.
 */
function heldAbove(history: readonly TrialOutcome[], size: number, upTo = Number.POSITIVE_INFINITY): number {
  if (history.some((one) => one.hasty && one.verdict === 'stable' && !one.screened && one.size >= size)) return 0;
  const atPlanPace = history.filter(({ hasty, screened }) => !hasty && !screened);
  if (atPlanPace.some((one) => one.verdict === 'unstable' && one.size <= size)) return 0;
  return atPlanPace.filter((one) => one.verdict === 'stable' && one.size >= size && one.size <= upTo).length;
}

function isHastyFailure({ verdict, hasty }: TrialOutcome): boolean {
  return verdict === 'unstable' && hasty === true;
}
