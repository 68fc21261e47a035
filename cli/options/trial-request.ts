import { Command } from 'commander';
import type { ServerKind } from '../../server-setup/server-kind.js';
import { readAddingUp } from './adding-up.js';
import { addRunFlags, askedRun, type RunWords, readRunFlags } from './run-flags.js';
import type { RunRequest } from './run-request.js';

/** All that `try` is asked, read and checked as a whole. Throws what is wrong, or SeveralFaults. */
export function readTrialRequest(name: string, words: RunWords, kinds: readonly ServerKind[]): RunRequest {
  const usual = () => addRunFlags(new Command(), kinds).opts<RunWords>();
  return readAddingUp({ name, words }, usual, (asked) => readRunFlags(asked.name, askedRun(asked.words), kinds));
}
