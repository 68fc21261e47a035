import type { VerdictKind } from '../../model/verdict.js';

interface Judged {
  readonly size: number;
  readonly verdict: VerdictKind;
}

/**
 * How often a size failed with something stable in between. Failures in a row count as one. A bad spell lasts, and so
 * does the effect of an overload: either may have failed them all.
 */
export function separateFailures(trials: readonly Judged[], size: number): number {
  let count = 0;
  let isInRow = false;
  for (const trial of trials) {
    if (trial.verdict === 'stable') isInRow = false;
    if (trial.verdict !== 'unstable' || trial.size !== size) continue;
    if (!isInRow) count += 1;
    isInRow = true;
  }
  return count;
}
