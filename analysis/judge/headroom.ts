import { type HeadroomLevel, headroomLevels } from '../../model/headroom.js';

/** Upper ends of the levels, as the share of the threshold that is used up. What crosses it calls for backing off. */
const usedUpTo = [0.8, 0.9, 0.97, 1] as const;

interface MetricHeadroom {
  /** What was read over the window, in the threshold's unit. */
  readonly samples: readonly number[];
  readonly limit: number;
  readonly comparison: 'at-most' | 'at-least';
}

/**
 * The level of one metric: the worst that at least `fraction` of its samples reach, so that a single second does not
 * turn the ramp. A metric without samples is not healthy: it calls for backing off.
 */
export function headroomOf({ samples, limit, comparison }: MetricHeadroom, fraction = 0.1): HeadroomLevel {
  if (samples.length === 0) return 'back-off';
  const ranks = samples.map((value) => rankOf(usedShare(value, limit, comparison)));
  const worst = headroomLevels.findLastIndex(
    (_, rank) => ranks.filter((other) => other >= rank).length >= Math.max(1, fraction * samples.length),
  );
  return headroomLevels[worst] ?? 'back-off';
}

/** The level of a trial: that of its worst metric; without any metric, backing off. */
export function worstHeadroom(levels: readonly HeadroomLevel[]): HeadroomLevel {
  return headroomLevels.findLast((level) => levels.includes(level)) ?? 'back-off';
}

/** A limit of zero is either met, with nothing used, or crossed. */
function usedShare(value: number, limit: number, comparison: MetricHeadroom['comparison']): number {
  const [part, whole] = comparison === 'at-most' ? [value, limit] : [limit, value];
  return part === 0 ? 0 : part / whole;
}

function rankOf(used: number): number {
  const rank = usedUpTo.findIndex((end, index) => used < end || (index === usedUpTo.length - 1 && used <= end));
  return rank === -1 ? usedUpTo.length : rank;
}
