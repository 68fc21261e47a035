import { type HeadroomLevel, headroomLevels } from '../../model/headroom.js';

/** Upper ends of the levels, as percent of the threshold that are used up. What crosses it calls for backing off. */
const usedUpTo = [80, 90, 97, 100] as const;
const fraction = 0.1;

/**
 * The level of one metric, of which each sample used so many percent of its threshold. It is the worst that at least
 * `fraction` of the samples reach, so that a single second does not turn the ramp. A metric without samples is not
 * healthy: it calls for backing off.
 */
export function headroomOf(usedPercents: readonly number[]): HeadroomLevel {
  if (usedPercents.length === 0) return 'back-off';
  const ranks = usedPercents.map(rankOf);
  const worst = headroomLevels.findLastIndex(
    (_, rank) => ranks.filter((other) => other >= rank).length >= Math.max(1, fraction * ranks.length),
  );
  return headroomLevels[worst] ?? 'back-off';
}

/** The level of a trial: that of its worst metric; without any metric, backing off. */
export function worstHeadroom(levels: readonly HeadroomLevel[]): HeadroomLevel {
  return headroomLevels.findLast((level) => levels.includes(level)) ?? 'back-off';
}

function rankOf(used: number): number {
  const rank = usedUpTo.findIndex((end, index) => used < end || (index === usedUpTo.length - 1 && used <= end));
  return rank === -1 ? usedUpTo.length : rank;
}
