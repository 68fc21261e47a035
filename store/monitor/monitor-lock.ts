import { join } from 'node:path';
import { makeFolders } from '../../host/make-folders.js';
import { LoadlineError } from '../../model/errors.js';
import { releaseLock, takeLock } from '../run-directory/process-lock.js';
import { storeError } from '../run-directory/store-error.js';
import { monitorFolder } from './monitor-journal.js';

/**
 * Makes sure that one process at a time monitors into a folder. A lock whose process is gone, a kill -9 or a power cut
 * ago, counts for nothing. Rejects with E_MONITOR_BUSY naming the other process, E_OUT.
 */
export async function lockMonitor(out: string): Promise<{ close(): Promise<void> }> {
  const folder = join(out, monitorFolder);
  try {
    await makeFolders(folder);
    const other = await takeLock(folder);
    if (other) throw busy(out, other.pid);
  } catch (error) {
    throw storeError(error, folder, 'the folder of the monitor cannot be locked');
  }
  return { close: () => releaseLock(folder) };
}

function busy(out: string, pid: number): LoadlineError {
  return new LoadlineError('E_MONITOR_BUSY', 'Another monitor writes into this folder.', {
    where: out,
    why: `process ${pid} is running`,
    todo: 'stop it, or name another folder with --out',
  });
}
