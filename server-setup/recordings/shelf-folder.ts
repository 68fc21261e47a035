import { constants, createWriteStream } from 'node:fs';
import { chmod, type FileHandle, lstat, open, rename, rm, stat } from 'node:fs/promises';
import { getuid } from 'node:process';
import { pipeline } from 'node:stream/promises';
import { removeFolder } from '../../host/remove-folder.js';

/**
 * Lets the media server write into a folder of ours. It stays closed to all others (false) where the server is of our
 * user or root's. Where it is of another one, or nobody knows of which, everybody may put files there, list none, and
 * remove none of others (true; chmod(2), S_ISVTX).
 */
export async function openTo(folder: string, serverPid: number | undefined): Promise<boolean> {
  const own = getuid?.() ?? 0;
  const server = serverPid === undefined ? undefined : await stat(`/proc/${serverPid}`).catch(() => undefined);
  // Root writes wherever it wants to.
  if (server?.uid === own || server?.uid === 0) return false;
  await chmod(folder, 0o1733);
  return true;
}

/**
 * Opens a regular file for reading, and nothing that a link, a pipe or a device stands for: who may write into the
 * folder may put any of these there. `undefined` where there is none.
 */
export async function openRegular(path: string): Promise<FileHandle | undefined> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => undefined);
  if (file === undefined) return undefined;
  if ((await file.stat()).isFile()) return file;
  await file.close();
  return undefined;
}

/**
 * Moves a regular file, which belongs to this user then. A run directory may be on another file system, where nothing
 * can be renamed to. What is no regular file is removed, and a file that was never written stays away.
 */
export async function moveFile(from: string, to: string): Promise<void> {
  try {
    // A media server of another user's would own a file of the run, which nobody would trust then.
    if ((await lstat(from)).uid !== getuid?.()) return await moveCopy(from, to);
    await rename(from, to);
    if (!(await lstat(to)).isFile()) await removeRecorded(to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    if (error.code === 'ENOENT') return;
    if (error.code !== 'EXDEV') throw error;
    await moveCopy(from, to);
  }
}

/** Removes what a server put in a recording's place, a folder perhaps. Never rejects: others' files may stay. */
export async function removeRecorded(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => removeFolder(path));
}

async function moveCopy(from: string, to: string): Promise<void> {
  // A link there is no place to write through.
  await rm(to, { force: true });
  await copyRegular(from, to);
  await removeRecorded(from);
}

/** Copies a regular file to a new one. Does nothing without a source; rejects where the target exists. */
export async function copyRegular(from: string, to: string): Promise<void> {
  const file = await openRegular(from);
  if (file === undefined) return;
  await pipeline(file.createReadStream(), createWriteStream(to, { flags: 'wx', mode: 0o600 }));
}
