import { pid } from 'node:process';
import { readCommandLines } from '../../host/processes.js';
import { profileFolders } from './profile-folders.js';

/**
 * Whether browsers of another run of Loadline are at work on this host, as sentences: asked before a trial, when there
 * are none of our own. They take CPU that this trial then lacks, and this run's load is measured by the other. Nothing
 * is known where there is no /proc, or of what another user runs in a namespace of its own.
 */
export async function foreignProbes(): Promise<readonly string[]> {
  return foreignOwners([...(await readCommandLines()).values()], pid).map(
    (owner) =>
      `Probes of another run of Loadline (process ${owner}) are at work on this host: each measures the other, too.`,
  );
}

/** The processes, ascending, that own browsers in these command lines, but ours. */
export function foreignOwners(commands: readonly (readonly string[])[], own: number): number[] {
  const profiles = commands.flatMap((command) => command.filter((argument) => argument.startsWith('--user-data-dir=')));
  const owners = new Set(profiles.flatMap((profile) => profileFolders.ownerOf(profile) ?? []));
  owners.delete(own);
  return [...owners].sort((a, b) => a - b);
}
