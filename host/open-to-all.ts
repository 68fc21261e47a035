import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** Whether everybody may read a file and enter all folders above it. Rejects when it is not there. */
export async function isFileOpenToAll(path: string): Promise<boolean> {
  return ((await stat(path)).mode & 0o004) !== 0 && isFolderOpenToAll(dirname(path));
}

/** Whether everybody may enter a folder and all above it. */
export async function isFolderOpenToAll(path: string): Promise<boolean> {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    if (((await stat(folder)).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
