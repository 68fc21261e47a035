import { readdir, readFile } from 'node:fs/promises';
import { pid } from 'node:process';
import { profileOwner } from './profile-folders.js';

/**
 * Whether browsers of another run of Loadline are at work on this host, as sentences: asked before a trial, when there are
 * none of our own. They take CPU that this trial then lacks, and this run's load is measured by the other. Nothing is known
 * where there is no /proc, or of what another user runs in a namespace of its own.
 */
export async function foreignProbes(): Promise<readonly string[]> {
  const pids = (await readdir('/proc').catch((): string[] => [])).filter((name) => /^\d+$/.test(name));
  const commands = await Promise.all(pids.map((one) => readFile(`/proc/${one}/cmdline`, 'utf8').catch(() => '')));
  return foreignOwners(commands, pid).map(
    (owner) =>
      `Probes of another run of Loadline (process ${owner}) are at work on this host: each measures the other, too.`,
  );
}

/** The processes, ascending, that own browsers in these command lines (arguments end in \0, proc(5)), but ours. */
export function foreignOwners(commands: readonly string[], own: number): number[] {
  const owners = commands.flatMap((command) => {
    const folder = /--user-data-dir=([^\0]*)/.exec(command)?.[1];
    return folder === undefined ? [] : (profileOwner(folder) ?? []);
  });
  return [...new Set(owners)].filter((owner) => owner !== own).sort((a, b) => a - b);
}
