import { existsSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ErrorCode, LoadlineError } from '../../model/errors.js';
import { isForbidden, isNoRoom, unwrittenWhy } from '../../model/file-refusal.js';

/** Turns a file system's refusal into E_DISK_FULL (no space, quota) or E_OUT (everything else). */
export function storeError(error: unknown, path: string, what: string, isFile = false): LoadlineError {
  if (error instanceof LoadlineError) return error;
  const why = unwrittenWhy(error);
  if (isNoRoom(error)) {
    return new LoadlineError('E_DISK_FULL', `There is no room left for the results: ${what}.`, {
      where: path,
      why,
      todo: 'free some space; what was written before can still be read',
      cause: error,
    });
  }
  return new LoadlineError('E_OUT', `The results cannot be written: ${what}.`, {
    where: path,
    why,
    todo: isFile ? fileTodo(path) : 'name a folder that you may write to with --out',
    cause: error,
  });
}

interface Named {
  readonly what?: string;
  readonly where?: string;
  readonly code?: ErrorCode;
}

/** Writes a file that a flag names. */
export async function writeNamedFile(path: string, content: string | Uint8Array, named: Named = {}): Promise<void> {
  const { what = 'page', where = path, code = 'E_OUT' } = named;
  await writeFile(path, content).catch((error: unknown) => {
    const parts = { where, why: unwrittenWhy(error), todo: fileTodo(path), cause: error };
    throw new LoadlineError(code, `The ${what} cannot be written.`, parts);
  });
}

/** What to name where the path of a file cannot be written. */
function fileTodo(path: string): string {
  const folder = dirname(path);
  if (existsSync(path) && statSync(path).isDirectory()) return `name a file in it: ${join(path, 'NAME')}`;
  return existsSync(folder)
    ? 'name a file that you may write to'
    : `make the folder ${folder} first, or name a file in another`;
}

/** E_RUN of a path that could not be read: `otherwise` and `todo` where no missing permission is why. */
export function readError(error: unknown, path: string, otherwise: string, todo: string): LoadlineError {
  const why = error instanceof Error ? error.message : String(error);
  if (!isForbidden(error)) return new LoadlineError('E_RUN', otherwise, { where: path, why, todo, cause: error });
  return new LoadlineError('E_RUN', `${path} may not be read by this user.`, {
    where: path,
    why,
    todo: 'read it as the user who made it, or give this user the right to read it',
    cause: error,
  });
}
