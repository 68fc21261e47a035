import { chmod, lstat, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { getuid } from 'node:process';
import { makeFolders } from '../../host/make-folders.js';
import { removeFolder } from '../../host/remove-folder.js';
import { LoadlineError } from '../../model/errors.js';
import { isNoRoom } from '../../model/file-refusal.js';
import type { Env, ToolProcess } from '../process.js';

/** Folders of the user's that outlive a run, and whether they can be written. */

/** Enough to tell a full disk from one that is not. */
const trialBytes = 4096;

/** What may be made again at any time, such as the clip of the fake camera (XDG Base Directory Specification). */
export function cacheFolder({ env }: Pick<ToolProcess, 'env'>): string {
  return userFolder(env, 'XDG_CACHE_HOME', '.cache');
}

/** What outlives a run, such as calibrations (XDG Base Directory Specification). */
export function stateFolder({ env }: Pick<ToolProcess, 'env'>): string {
  return userFolder(env, 'XDG_STATE_HOME', join('.local', 'state'));
}

function userFolder(env: Env, variable: string, inHome: string): string {
  const base = env[variable];
  return join(base?.startsWith('/') ? base : join(homeOf(env), inHome), 'loadline');
}

/** A user without a name, as containers have them, has no home that could be looked up. */
function homeOf({ HOME }: Env): string {
  if (HOME?.startsWith('/')) return HOME;
  try {
    return homedir();
  } catch {
    return '/';
  }
}

/**
 * Where clips are kept: the cache of the user, or where that cannot be written (a service without a home, a read-only
 * root) a folder of this user's among the temporary files. Throws E_FOLDER, E_DISK_FULL with what both refused.
 */
export async function usableCache(tool: Pick<ToolProcess, 'env'>): Promise<string> {
  const own = cacheFolder(tool);
  const refusal = await whyNotWritable(own);
  if (refusal === undefined) return own;
  // Of this user alone, beside everybody's temporary files.
  const spare = join(tmpdir(), `loadline-cache-${getuid?.() ?? 0}`);
  const second = (await isOwn(spare)) ? await whyNotWritable(spare) : new Error(`${spare} belongs to somebody else`);
  if (second === undefined) return spare;
  throw unusable('The folder for the clips of cameras and microphones cannot be written.', own, [refusal, second]);
}

/** Throws E_FOLDER, E_DISK_FULL where profiles of browsers and other temporary files cannot be made. */
export async function assertTemporary(): Promise<void> {
  const refusal = await whyNotWritable(tmpdir());
  if (refusal) throw unusable('The folder for temporary files cannot be written.', tmpdir(), [refusal]);
}

/** Throws E_FOLDER, E_DISK_FULL where calibrations cannot be kept. */
export async function assertState(tool: Pick<ToolProcess, 'env'>): Promise<void> {
  const folder = stateFolder(tool);
  const refusal = await whyNotWritable(folder);
  if (refusal) throw unusable('The folder for calibrations cannot be written.', folder, [refusal]);
}

function unusable(what: string, where: string, refusals: readonly Error[]): LoadlineError {
  const full = refusals.some(isNoRoom);
  return new LoadlineError(full ? 'E_DISK_FULL' : 'E_FOLDER', what, {
    where,
    why: refusals.map(({ message }) => message).join('\n'),
    todo: full
      ? 'free some space, or name a folder on another disk: XDG_CACHE_HOME, XDG_STATE_HOME, TMPDIR'
      : 'name a folder that this user may write to: XDG_CACHE_HOME for clips, XDG_STATE_HOME for calibrations, TMPDIR for the rest',
    cause: refusals[0],
  });
}

/** Makes the folder and a file in it, and removes the file. `undefined` when that went well. */
async function whyNotWritable(folder: string): Promise<Error | undefined> {
  try {
    await makeFolders(folder, { mode: 0o700 });
    const trial = await mkdtemp(join(folder, '.loadline-trial-'));
    try {
      await writeFile(join(trial, 'file'), Buffer.alloc(trialBytes));
    } finally {
      await removeFolder(trial);
    }
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** In a folder that everybody writes to, somebody else could have made it first, or a link. */
async function isOwn(folder: string): Promise<boolean> {
  await mkdir(folder, { mode: 0o700 }).catch(() => undefined);
  const found = await lstat(folder).catch(() => undefined);
  if (!found) return true;
  if (!found.isDirectory() || (getuid !== undefined && found.uid !== getuid())) return false;
  await chmod(folder, 0o700).catch(() => undefined);
  return true;
}
