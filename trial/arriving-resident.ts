import { neverDescribed } from '../analysis/arrivals/join-fate.js';
import { isCrash } from '../analysis/judge/joining.js';
import { LoadlineError } from '../model/errors.js';
import type { ArrivedJoin } from '../model/join.js';
import { TrialOver } from './trial-end.js';

/** Why a trial ends without a resident: that it crashed, or did not ask in time, is not the server's doing. */
export function residentMissing(join: ArrivedJoin, isBrowser: boolean): Error {
  const { participant, failure } = join;
  if (failure && isCrash(failure)) return new TrialOver({ kind: 'crashed' });
  if (isBrowser && neverDescribed(join)) {
    const text = `The browser of ${participant}, for whom the others come, did not say in time what it sends.`;
    return new TrialOver({ kind: 'stuck', text });
  }
  return new LoadlineError(
    'E_SERVER_REFUSED',
    `The media server did not take ${participant}, for whom the others come.`,
    { where: participant, ...(failure ? { why: failure.detail } : {}) },
  );
}
