import type { SearchOptions } from '../../model/plan.js';
import type { Answer } from '../../model/run.js';
import { resolutionAt } from './resolution.js';

type Sides = Pick<Answer, 'outcome' | 'stable' | 'unstable' | 'cutShort'>;

/**
 * Whether the limit may be any size from the one that held to the one before that which failed, because nobody looked
 * between them as closely as the plan asks (`--within`): a list leaves sizes out, a ramp steps over some, a single size
 * says nothing of those below it, and a search that was cut short did not get there.
 */
export function isUndecided(search: SearchOptions, { outcome, stable, unstable, cutShort }: Sides, triedOne: boolean) {
  const mayLeaveOut = triedOne || cutShort === true || (search.strategy ?? 'bisect') !== 'bisect';
  if (outcome !== 'found' || unstable === null || !mayLeaveOut) return false;
  return unstable - stable > resolutionAt(search, stable);
}

/** Whether a command line asked for one size, and for no limit: of `try`, and of `simulate --size`. */
export function asksForOneSize(command: readonly string[]): boolean {
  return command[1] === 'try' || command.some((word) => word === '--size' || word.startsWith('--size='));
}
