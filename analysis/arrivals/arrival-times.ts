import type { ArrivalsPlan } from '../../model/arrivals.js';
import { seededRandom } from '../../model/seeded-random.js';
import { ascending } from '../statistics/statistics.js';

interface ArrivalOrder extends Pick<ArrivalsPlan, 'process' | 'seed'> {
  /** So many come … */
  readonly count: number;
  /** … in this time. */
  readonly overMs: number;
  /** From one to the next, where they come evenly: a whole number of them seldom fills the time. Absent: it does. */
  readonly everyMs?: number;
}

/**
 * When each is due, from the beginning, ascending; nothing that happens changes it.
 *
 * A Poisson process of which it is known how many come in a time has them spread over it independently and evenly (the
 * order statistics of uniform numbers). So a size is exactly the rate that it says, and what comes together by chance
 * still does.
 */
export function arrivalTimes({
  process,
  seed,
  count,
  overMs,
  everyMs = overMs / count,
}: ArrivalOrder): readonly number[] {
  if (process === 'constant') return Array.from({ length: count }, (_, index) => index * everyMs);
  const random = seededRandom(seed);
  return ascending(Array.from({ length: count }, () => random() * overMs));
}

/** How long each stays. Its seed differs from that of the arrivals, so that the late do not stay long by chance. */
export function stayTimes({ stay, holdMs, seed }: Pick<ArrivalsPlan, 'stay' | 'holdMs' | 'seed'>, count: number) {
  if (stay === 'constant') return Array.from({ length: count }, () => holdMs);
  const random = seededRandom(seed ^ 0x5bd1e995);
  return Array.from({ length: count }, () => -holdMs * Math.log(1 - random()));
}
