import { LoadlineError } from '../../model/errors.js';

/** A part of what was written, and where that was. */
export interface WrittenAt {
  readonly part: string;
  readonly where: string;
}

/** E_NETWORK about it. */
export function networkError(what: string, { part, where }: WrittenAt, todo: string): LoadlineError {
  return new LoadlineError('E_NETWORK', what, { where: `${where} "${part}"`, todo });
}
