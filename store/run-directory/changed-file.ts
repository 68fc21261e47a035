import { LoadlineError } from '../../model/errors.js';

/** A stored file holds not what was written. `where` is relative to the run directory, with a line if any. */
export function changedFile(where: string, why: string): LoadlineError {
  return new LoadlineError('E_RUN', `${where} of the stored run was changed after it was written.`, {
    where,
    why,
    todo: 'put the file back from a copy, or run again; nothing is said of a run that was changed',
  });
}
