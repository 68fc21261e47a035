import type { ArrivedJoin } from '../../model/join.js';

export type Fate = 'answered' | 'refused' | 'stalled' | 'failed';

/** The server said no, said nothing in time, or something else went wrong. */
export function fateOf({ answeredMs, failure }: ArrivedJoin): Fate {
  if (failure?.code === 'refused' || failure?.code === 'signalling-unusable') return 'refused';
  if (failure?.code === 'signalling-timeout') return 'stalled';
  return failure === undefined && answeredMs !== undefined ? 'answered' : 'failed';
}
