import { isCrash } from '../model/crash.js';
import { LoadlineError } from '../model/errors.js';
import type { ArrivedJoin } from '../model/join.js';
import { TrialOver } from './trial-end.js';

/** Why a trial cannot go on without one for whom the others come: that it crashed is nothing of the server's. */
export function residentMissing({ participant, failure }: ArrivedJoin): Error {
  if (failure && isCrash(failure)) return new TrialOver({ kind: 'crashed' });
  return new LoadlineError(
    'E_SERVER_REFUSED',
    `The media server did not take ${participant}, for whom the others come.`,
    { where: participant, ...(failure ? { why: failure.detail } : {}) },
  );
}
