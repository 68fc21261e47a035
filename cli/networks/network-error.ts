import { LoadlineError } from '../../model/errors.js';

/** E_NETWORK about one part of what was written. */
export function networkError(what: string, part: string, where: string, todo: string): LoadlineError {
  return new LoadlineError('E_NETWORK', what, { where: `${where} "${part}"`, todo });
}
