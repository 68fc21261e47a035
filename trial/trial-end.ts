import { LoadlineError } from '../model/errors.js';

/**
 * How a trial ended.
 * `complete`: in its own order. `interrupted`: someone asked. `server-lost`: the media server went away under load.
 * `turn-lost`: the TURN server did; `ours` when this run had started it.
 * `crashed`: all probes fell with their pages or browsers. Where participants come and go, a resident or a browser was
 * lost.
 * `stuck`: the fleet did not do what it promises in time.
 * `failed`: something that the run cannot go on after, such as a server that does not come clean.
 */
export type TrialEnd =
  | { readonly kind: 'complete' }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'server-lost'; readonly detail: string }
  | { readonly kind: 'turn-lost'; readonly detail: string; readonly ours: boolean }
  | { readonly kind: 'crashed' }
  | { readonly kind: 'stuck'; readonly text: string }
  | { readonly kind: 'failed'; readonly error: LoadlineError };

/** Thrown inside a trial to leave the phase it is in. Never seen outside. */
export class TrialOver extends Error {
  constructor(readonly end: TrialEnd) {
    super(`the trial is over: ${end.kind}`);
    this.name = 'TrialOver';
  }
}

/** What nobody foresaw is an error of our own. */
export function asLoadlineError(error: unknown): LoadlineError {
  if (error instanceof LoadlineError) return error;
  const why = error instanceof Error ? error.message : String(error);
  return new LoadlineError('E_INTERNAL', 'A trial failed in a way that nobody foresaw.', { why, cause: error });
}
