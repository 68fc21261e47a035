import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { succeeds } from './bounded-wait.js';

/** Whether a PATH has a program of this name that may be run. */
export async function hasProgram(name: string, path = ''): Promise<boolean> {
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  const found = folders.map((folder) => succeeds(access(join(folder, name), constants.X_OK)));
  return (await Promise.all(found)).includes(true);
}
