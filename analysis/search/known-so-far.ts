import type { Answer, TrialOutcome } from '../../model/run.js';
import type { Bracket } from '../../model/run-event.js';

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

/**
 * The answer of a run that could not come to its end: all that is known of each size, and why there is no more. A size
 * that passed in three of four trials at least is its stable side, though not confirmed.
 */
export function unfinishedAnswer(history: readonly TrialOutcome[], because: string): Answer {
  const judged = history.filter(({ verdict }) => verdict !== 'void');
  const known = [...new Set(judged.map(({ size }) => size))]
    .sort((a, b) => a - b)
    .map((size) => knownOf(judged.filter((trial) => trial.size === size)));
  const stable = known.findLast(({ passes, fails }) => passes > 0 && passes >= 3 * fails)?.size;
  const unstable = known.find(
    ({ size, passes, fails }) => fails > 0 && passes < 3 * fails && size > (stable ?? 0),
  )?.size;
  const words = known.map(({ text }) => text).join('; ');
  return {
    outcome: 'void',
    stable: stable ?? 0,
    unstable: unstable ?? null,
    flaky: known.filter(({ passes, fails }) => passes > 0 && fails > 0).map(({ size }) => size),
    because: `${because} ${words === '' ? 'Nothing was found out before.' : `Known so far, not confirmed: ${words}.`}`,
  };
}

/**
 * The answer of a run whose server went away in its last trial and did not come back. It died carrying that size, so
 * what larger sizes did before counts for nothing.
 */
export function answerOfLost(history: readonly TrialOutcome[], because: string): Answer {
  const known = unfinishedAnswer(history, because);
  const { size = 0, lost } = history.at(-1) ?? {};
  if (!lost) return known;
  const below = unfinishedAnswer(
    history.filter((trial) => trial.size < size),
    '',
  );
  return { ...known, outcome: 'server-lost', stable: below.stable, unstable: size };
}

/** "4 was stable in 4 of 5, and in the last the server went away". */
function knownOf(trials: readonly TrialOutcome[]) {
  const { size = 0, lost } = trials.at(-1) ?? {};
  const passes = trials.filter(({ verdict }) => verdict === 'stable').length;
  const fails = trials.length - passes;
  const end = trials.length === 1 ? 'when the server went away' : 'and in the last the server went away';
  const text = `${size} was stable in ${passes} of ${trials.length}${lost ? `, ${end}` : ''}`;
  return { size, passes, fails, text };
}

function lowest(sizes: readonly number[]): number | null {
  return sizes.length === 0 ? null : Math.min(...sizes);
}
