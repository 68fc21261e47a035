import type { Answer, TrialOutcome } from '../model/run.js';
import type { Bracket } from '../model/run-event.js';

/**
 * What a history says already: the smallest size that was ever unstable, and the largest below it that was only ever
 * stable. Nothing is refuted or confirmed by this; it is the interval the search works in.
 */
export function bracketOf(history: readonly TrialOutcome[]): Bracket {
  const sizesOf = (verdict: TrialOutcome['verdict']) =>
    history.filter((trial) => trial.verdict === verdict).map((trial) => trial.size);
  const unstable = lowest(sizesOf('unstable'));
  const stable = sizesOf('stable').filter((size) => unstable === null || size < unstable);
  return { stable: stable.length === 0 ? null : Math.max(...stable), unstable };
}

/** The answer of a run that could not come to its end: what is known, and why there is no more. */
export function unfinishedAnswer(history: readonly TrialOutcome[], because: string): Answer {
  const { stable, unstable } = bracketOf(history);
  const flaky = [...new Set(history.map((trial) => trial.size))]
    .filter((size) => hasVerdict(history, size, 'stable') && hasVerdict(history, size, 'unstable'))
    .sort((a, b) => a - b);
  const known =
    stable === null && unstable === null
      ? 'Nothing was found out before.'
      : `Known so far, not confirmed: ${[
          stable === null ? [] : `${stable} was stable`,
          unstable === null ? [] : `${unstable} was unstable`,
        ]
          .flat()
          .join(', ')}.`;
  return { outcome: 'void', stable: stable ?? 0, unstable, flaky, because: `${because} ${known}` };
}

function hasVerdict(history: readonly TrialOutcome[], size: number, verdict: TrialOutcome['verdict']): boolean {
  return history.some((trial) => trial.size === size && trial.verdict === verdict);
}

function lowest(sizes: readonly number[]): number | null {
  return sizes.length === 0 ? null : Math.min(...sizes);
}
