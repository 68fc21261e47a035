import { ownedFolders } from '../../host/owned-folders.js';
import { killNow, processesWith } from '../../host/processes.js';
import { removeFolder } from '../../host/remove-folder.js';

/** One for each coturn: what it reads, and nothing that outlives it. */
export const turnFolders = ownedFolders('turn');

/**
 * Removes what a killed Loadline left in `temporaryRoot`: folders of coturns whose owner is gone, and those coturns
 * themselves should they still run. Returns what was removed, each in a few words. Never rejects.
 */
export async function removeTurnLeftovers(temporaryRoot: string): Promise<readonly string[]> {
  const removed = await Promise.all((await turnFolders.abandoned(temporaryRoot)).map(removeOne));
  return removed.flat();
}

async function removeOne(folder: string): Promise<string[]> {
  // Those that have a file of the folder on their command line.
  const pids = await processesWith((argument) => argument.startsWith(`${folder}/`));
  for (const pid of pids) killNow(pid);
  await removeFolder(folder);
  return [...pids.map((pid) => `the coturn process ${pid}`), `the folder ${folder}`];
}
