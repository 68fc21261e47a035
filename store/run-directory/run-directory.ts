import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeFolders } from '../../host/make-folders.js';
import { LoadlineError } from '../../model/errors.js';
import { storeError } from './store-error.js';

interface RunDirectoryRequest {
  /** The folder that holds runs; made when it is not there. */
  readonly parent: string;
  readonly scenario: string;
  readonly server: string;
  readonly startedAtMs: number;
}

/** More runs than this in one second and folder are not an accident. */
const namesPerSecond = 1000;

/**
 * Makes the folder of one run, `2026-11-21T14-03-12-one-to-one-embedded` (UTC), and returns its absolute path. Runs
 * that start in the same second get `-2`, `-3` …: making a folder is atomic, so two processes never share one.
 * Throws E_OUT when it cannot be made, E_DISK_FULL when there is no room.
 */
export async function createRunDirectory(request: RunDirectoryRequest): Promise<string> {
  const parent = resolve(request.parent);
  try {
    await makeFolders(parent);
    const name = runName(request);
    for (let nth = 1; nth <= namesPerSecond; nth += 1) {
      const directory = join(parent, nth === 1 ? name : `${name}-${nth}`);
      if (await makeNew(directory)) {
        for (const folder of ['samples', 'evidence']) await mkdir(join(directory, folder), { mode: 0o700 });
        return directory;
      }
    }
  } catch (error) {
    throw storeError(error, parent, 'the folder of this run cannot be made');
  }
  throw new LoadlineError('E_OUT', `${parent} has ${namesPerSecond} runs of this second.`, {
    where: parent,
    todo: 'start it again, or name another folder with --out',
  });
}

/** Pure. Characters that some file systems refuse (`:` on Windows shares) are not used. */
export function runName({ scenario, server, startedAtMs }: RunDirectoryRequest): string {
  const second = new Date(startedAtMs).toISOString().slice(0, 19).replaceAll(':', '-');
  return `${second}-${scenario}-${server}`;
}

async function makeNew(directory: string): Promise<boolean> {
  try {
    // What is stored names hosts, addresses and commands: others may read it when its owner lets them.
    await mkdir(directory, { mode: 0o700 });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}
