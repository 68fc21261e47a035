import type { TrialOutcome } from '../../model/run.js';

/** The trials that are not void. */
export const judgedIn = (history: readonly TrialOutcome[]): TrialOutcome[] =>
  history.filter(({ verdict }) => verdict !== 'void');

/** Whether a trial shows nothing of its size, because of the probe side. */
export function isUnsure({ verdict, disturbed }: TrialOutcome): boolean {
  return verdict === 'void' || disturbed === true;
}
