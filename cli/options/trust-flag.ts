import type { Command } from 'commander';
import type { RunTrust } from '../../store/run-directory/own-run.js';

export interface TrustFlags {
  readonly trustRun?: boolean;
}

/** For whatever reads stored runs that somebody names. */
export function addTrustFlag(command: Command): Command {
  return command.option('--trust-run', 'take a stored run that others can change at any time, and one of any size');
}

export function trustOf({ trustRun }: TrustFlags): RunTrust {
  return trustRun === true ? 'any' : 'own';
}
