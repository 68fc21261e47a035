import type { TrialOutcome } from '../../model/run.js';

/** Whether a trial shows nothing of its size, because of the probe side. */
export function isUnsure({ verdict, disturbed }: TrialOutcome): boolean {
  return verdict === 'void' || disturbed === true;
}
