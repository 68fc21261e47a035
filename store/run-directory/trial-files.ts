import { LoadlineError } from '../../model/errors.js';
import { layout } from './layout.js';
import type { RunBounds } from './run-bounds.js';
import type { TrialSeal } from './seal.js';
import { changedFile } from './small-file.js';

export interface Torn<T> {
  readonly value: T;
  /** A sentence when the file ends before its end. */
  readonly warning?: string;
}

/** Where what was stored of a trial lies, and what is read of it. */
export interface TrialFiles {
  readonly directory: string;
  readonly index: number;
  readonly seal: TrialSeal | undefined;
  readonly bounds: RunBounds;
}

/** Throws E_RUN for a file that holds other lines than were sealed; one that is missing is told of elsewhere. */
export function assertSealed(file: string, digest: string | undefined, seal: string | undefined): void {
  if (seal === undefined || digest === undefined || digest === seal) return;
  throw changedFile(file, `its seal in ${layout.trials} does not fit what it holds`);
}

export function isNotJson(error: unknown): boolean {
  return error instanceof LoadlineError && error.cause instanceof SyntaxError;
}
