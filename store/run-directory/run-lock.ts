import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { LoadlineError } from '../../model/errors.js';
import { layout } from './layout.js';
import { releaseLock, takeLock } from './process-lock.js';
import { storeError } from './store-error.js';

/** Takes a run's folder for this process until `unlockRun`. Throws E_RESUME if another is at work; E_OUT. */
export async function lockRun(directory: string): Promise<void> {
  const other = await takeLock(directory).catch((error: unknown) => {
    throw storeError(error, directory, 'the folder of this run cannot be locked');
  });
  if (!other) return;
  throw new LoadlineError('E_RESUME', 'This run is still going on in another process.', {
    where: directory,
    why: `process ${other.pid} writes into it`,
    todo: `wait until it has ended, or stop it (kill ${other.pid}), then resume the run`,
  });
}

/** Whether a folder holds a run: nothing is written into one that does not. */
export async function holdsRun(directory: string): Promise<boolean> {
  return access(join(directory, layout.manifest)).then(
    () => true,
    () => false,
  );
}

/** Idempotent, and fine with a folder that is gone. */
export async function unlockRun(directory: string): Promise<void> {
  await releaseLock(directory);
}
