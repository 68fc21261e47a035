import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The path that a recorder's URI means: a file that lies directly in the server's one folder for recordings. Throws an
 * Error that says why it is none. Whoever can reach the server names URIs, and the server may run as root.
 */
export function recordingPath(folder: string | undefined, uri: string): string {
  if (folder === undefined) throw new Error('this server has no folder for recordings');
  const path = fileURLToPath(uri);
  if (dirname(path) !== folder) throw new Error(`recordings are written into ${folder} only, not to ${path}`);
  return path;
}

const newFileOnly = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Makes a file that was not there (EEXIST), and follows no link to another one (open(2): O_EXCL, O_NOFOLLOW). */
export function openNewFile(path: string): Promise<FileHandle> {
  return open(path, newFileOnly, 0o600);
}
