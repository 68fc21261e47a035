import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { getuid } from 'node:process';
import { LoadlineError } from '../../model/errors.js';

/** Whose stored runs are read: this user's and root's, or anybody's that were named. */
export type RunTrust = 'own' | 'any';

/** A run has a folder of samples, one of evidence, and few more; what is deeper is none of its. */
const deepest = 4;
/** A run of a thousand trials has some ten files for each. */
const mostEntries = 100_000;

/**
 * Throws E_RUN_FOREIGN for a folder that belongs to another user, or that holds what does: who may write there could change it while it is
 * read. Throws E_RUN for one in which a name stands for something elsewhere: a link, a pipe or a device. Root's are everybody's to read.
 */
export async function assertOwnRun(directory: string, trust: RunTrust = 'own'): Promise<void> {
  const found = await stat(directory).catch(() => undefined);
  // What is not there is told by whoever reads it.
  if (!found?.isDirectory()) return;
  assertOwner(directory, found.uid, trust);
  let left = mostEntries;
  const look = async (folder: string, depth: number): Promise<void> => {
    const names = await readdir(folder).catch((): string[] => []);
    left -= names.length;
    if (left < 0 || depth > deepest) throw oddEntry(folder, 'it holds more files than a run has');
    for (const name of names) {
      const path = join(folder, name);
      const entry = await lstat(path).catch(() => undefined);
      if (!entry) continue;
      if (!entry.isFile() && !entry.isDirectory()) throw oddEntry(path, 'it is a link, a pipe or a device');
      assertOwner(path, entry.uid, trust);
      if (entry.isDirectory()) await look(path, depth + 1);
    }
  };
  await look(directory, 1);
}

function assertOwner(path: string, owner: number, trust: RunTrust): void {
  const own = getuid?.();
  if (trust === 'any' || own === undefined || owner === own || owner === 0) return;
  throw new LoadlineError('E_RUN_FOREIGN', 'The stored run belongs to another user.', {
    where: path,
    why: `its owner is the user ${owner}, who can change it at any time, and this is the user ${own}`,
    todo: 'copy it, so that it is yours, or add --trust-run where you trust that user',
  });
}

function oddEntry(where: string, why: string): LoadlineError {
  return new LoadlineError('E_RUN', 'The folder of the stored run holds what no run has.', {
    where,
    why,
    todo: 'copy the regular files of the run into a folder of their own, and name that',
  });
}
