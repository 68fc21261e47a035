import type { PlayedStep, Study } from '../../model/study.js';
import { shownLimitOf } from './beside-limit.js';
import { roundsToRank } from './ranks.js';
import { overRounds, sureness } from './rounds.js';

/** So many show 93.75 %. */
const leastForInterval = 5;
/** From nine on intervals leave the outermost out, and when a study ended would change how sure they are. */
export const mostWithPrecision = 8;

/** Rounds that are made in any case: what they show is told, whenever the study ends. */
export function leastRounds(servers: number, chance: number): number {
  return Math.max(leastForInterval, roundsToRank(servers, chance));
}

const serversOf = (cells: Study['cells']) => new Set(cells.map(({ server }) => server)).size;

export type FoundLimit = Pick<PlayedStep, 'cell' | 'round' | 'part' | 'run'>;

/**
 * The round behind which the study ends, because each limit is known as precisely as was asked; undefined where that
 * is not so. More rounds only widen an interval of at most eight: so two that are apart were so from the first look
 * on, and one beside the middle was so, too. When a study ends changes no chance of error.
 */
export function endedAfter(
  { cells, rounds, precision, chance }: Study,
  played: readonly FoundLimit[],
): number | undefined {
  if (precision === undefined) return undefined;
  const isKnown = (id: string, last: number) => {
    const own = played.filter(({ cell, part, round }) => cell === id && part === 'limit' && round <= last);
    const limit = overRounds(own.flatMap(({ run }) => shownLimitOf(run) ?? []));
    if (!limit || limit.rounds < last || limit.high === null) return false;
    return Math.max(limit.high - limit.middle, limit.middle - limit.low) <= precision * limit.middle;
  };
  const least = leastRounds(serversOf(cells), chance);
  const looks = Array.from({ length: Math.max(0, rounds - least + 1) }, (_, nth) => least + nth);
  return looks.find((last) => cells.every(({ id }) => isKnown(id, last)));
}

/** An interval is as sure as the rounds that were made in any case: what they found decides whether more are made. */
export function mostSure({ cells, chance, precision }: Study): number {
  return precision === undefined ? 1 : sureness(1, leastRounds(serversOf(cells), chance));
}

/** The study with the rounds that it has in the end. */
export function asEnded(study: Study, played: readonly FoundLimit[]): Study {
  return { ...study, rounds: endedAfter(study, played) ?? study.rounds };
}
