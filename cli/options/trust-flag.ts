import type { Command } from 'commander';
import type { RunTrust } from '../../store/run-directory/own-run.js';

export interface TrustFlags {
  readonly trustRun?: boolean;
}

/** For whatever reads stored runs that somebody names. */
export function addTrustFlag(command: Command): Command {
  return command.option('--trust-run', 'take a stored run of another user, too, who can change it at any time');
}

export function trustOf({ trustRun }: TrustFlags): RunTrust {
  return trustRun === true ? 'any' : 'own';
}
