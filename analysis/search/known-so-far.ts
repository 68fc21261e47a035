import type { Answer, TrialOutcome } from '../../model/run.js';
import type { Bracket } from '../../model/run-event.js';
import { believedTallies, flakySizes, isHeld, type Tally } from './landscape.js';

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
 * that passed in three of four trials at least, with failures below it, is its stable side, though not confirmed.
 * Trials count as in the search.
 */
export function unfinishedAnswer(history: readonly TrialOutcome[], because: string): Answer {
  const tallies = believedTallies(history);
  const stable = tallies.findLast((tally) => isHeld(tallies, tally))?.size;
  const unstable = tallies.find(
    (tally) => tally.fails > 0 && !isMostlyStable(tally) && tally.size > (stable ?? 0),
  )?.size;
  const words = tallies.map((tally) => textOf(tally, history)).join('; ');
  return {
    outcome: 'void',
    stable: stable ?? 0,
    unstable: unstable ?? null,
    flaky: flakySizes({ tallies }),
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

const isMostlyStable = ({ passes, fails }: Tally): boolean => passes >= 3 * fails;

/** "4 was stable in 4 of 5, and in the last the server went away". Passes that confirm nothing are told apart. */
function textOf({ size, passes, fails, screened }: Tally, history: readonly TrialOutcome[]): string {
  const of = passes + fails;
  const steering = screened === 0 ? [] : [`${screened} ${screened === 1 ? 'trial' : 'trials'} that confirmed nothing`];
  const seen = [...(of === 0 ? [] : [`${passes} of ${of}`]), ...steering].join(', and in ');
  const isLost = history.findLast((trial) => trial.size === size)?.lost === true;
  const end = of + screened === 1 ? 'when the server went away' : 'and in the last the server went away';
  return `${size} was stable in ${seen}${isLost ? `, ${end}` : ''}`;
}

function lowest(sizes: readonly number[]): number | null {
  return sizes.length === 0 ? null : Math.min(...sizes);
}
