import type { Stats } from 'node:fs';
import { lstat, readdir, realpath, stat, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { getuid } from 'node:process';
import { LoadlineError } from '../../model/errors.js';
import { plainText } from '../../model/plain-text.js';

/**
 * Whose stored runs are read: this user's and root's, or anybody's that were named. Those of any size are read where a
 * limit of theirs counts: a run that is passed over for its size would leave that of an older one.
 */
export type RunTrust = 'own' | 'own-of-any-size' | 'any';

/** A run has a folder of samples, one of evidence, and few more; what is deeper is none of its. */
const deepest = 4;
/** A run of a thousand trials has some ten files for each. */
const mostEntries = 100_000;

/**
 * Throws E_RUN_FOREIGN for a folder that belongs to another user, or that everybody can write to, and for one that
 * holds such: who may write there could change it while it is read. A group that may write is one that the owner has
 * let in. Throws E_RUN for one in which a name stands for something elsewhere: a link, a pipe or a device. Root's are
 * everybody's to read.
 */
export async function assertOwnRun(directory: string, trust: RunTrust = 'own'): Promise<void> {
  const found = await stat(directory).catch(() => undefined);
  // What is not there is told by whoever reads it.
  if (!found?.isDirectory()) return;
  const isOpen = trust !== 'any' && (await isOpenToAll(directory));
  const assertOurs = (path: string, entry: Stats) => {
    assertOwner(path, entry.uid, trust);
    if (isOpen && isWritableByAll(entry)) throw writable(path, entry.mode);
  };
  assertOurs(directory, found);
  assertPlain(directory, basename(directory));
  let left = mostEntries;
  const look = async (folder: string, depth: number): Promise<void> => {
    const names = await readdir(folder).catch((): string[] => []);
    left -= names.length;
    if (left < 0 || depth > deepest) throw oddEntry(folder, 'it holds more files than a run has');
    for (const name of names) {
      const path = join(folder, name);
      assertPlain(path, name);
      const entry = await lstat(path).catch(() => undefined);
      if (!entry) continue;
      if (!entry.isFile() && !entry.isDirectory()) throw oddEntry(path, 'it is a link, a pipe or a device');
      assertOurs(path, entry);
      if (entry.isDirectory()) await look(path, depth + 1);
    }
  };
  await look(directory, 1);
}

/** Paths are shown as they are, and a terminal would obey them. */
function assertPlain(path: string, name: string): void {
  if (plainText(name) !== name || /[\n\t]/.test(name)) throw oddEntry(path, 'its name has control characters');
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

const [othersWrite, othersEnter, sticky] = [0o002, 0o001, 0o1000];

/** In a sticky folder others may put files of their own, and touch nobody else's. */
function isWritableByAll(entry: Stats): boolean {
  return (entry.mode & othersWrite) !== 0 && !(entry.isDirectory() && (entry.mode & sticky) !== 0);
}

/** FAT, exFAT, NTFS, SMB, 9P, FUSE of statfs(2): files there have the mount's modes, ours included. */
const withoutModes = new Set([
  0x4d44, 0x2011bab0, 0x5346544e, 0x7366746e, 0xff534d42, 0xfe534d42, 0x01021997, 0x65735546,
]);

/** Whether modes say who may write there, and every folder down to it lets others in. */
async function isOpenToAll(directory: string): Promise<boolean> {
  if (getuid === undefined) return false;
  const { type } = await statfs(directory).catch(() => ({ type: 0 }));
  if (withoutModes.has(type)) return false;
  // A link in a closed folder closes nothing that is reached by another name.
  for (let folder = await realpath(directory).catch(() => directory); ; folder = dirname(folder)) {
    const { mode } = await stat(folder).catch(() => ({ mode: othersEnter }));
    if ((mode & othersEnter) === 0) return false;
    if (dirname(folder) === folder) return true;
  }
}

function writable(where: string, mode: number): LoadlineError {
  return new LoadlineError('E_RUN_FOREIGN', 'Everybody on this machine can change the stored run.', {
    where,
    why: `its mode is ${(mode & 0o7777).toString(8)}: who is not its owner can write to it, too`,
    todo: 'take that right away (chmod -R o-w RUN), or add --trust-run where you trust all users of this machine',
  });
}

function oddEntry(where: string, why: string): LoadlineError {
  return new LoadlineError('E_RUN', 'The folder of the stored run holds what no run has.', {
    where,
    why,
    todo: 'copy the regular files of the run into a folder of their own, and name that',
  });
}
