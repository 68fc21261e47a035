import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { kill, pid as ownPid } from 'node:process';
import { isRunning } from '../process-running.js';

const prefix = 'loadline-turn-';

/** A folder for one coturn, named after this process. */
export function makeTurnFolder(temporaryRoot: string): Promise<string> {
  return mkdtemp(join(temporaryRoot, `${prefix}${ownPid}-`));
}

/** Never rejects. */
export async function removeTurnFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }).catch(() => undefined);
}

/**
 * Removes what a killed Loadline left in `temporaryRoot`: folders of coturns whose owner is gone, and those coturns
 * themselves should they still run. Returns what was removed, each in a few words. Never rejects.
 */
export async function removeTurnLeftovers(temporaryRoot: string): Promise<readonly string[]> {
  const names = await readdir(temporaryRoot).catch((): string[] => []);
  const folders = names.filter((name) => isTurnLeftover(name, isRunning)).map((name) => join(temporaryRoot, name));
  if (folders.length === 0) return [];
  const removed = await Promise.all(folders.map(removeOne));
  return removed.flat();
}

export function isTurnLeftover(name: string, alive: (pid: number) => boolean): boolean {
  const owner = /^loadline-turn-(\d+)-/.exec(name)?.[1];
  return owner !== undefined && !alive(Number(owner));
}

async function removeOne(folder: string): Promise<string[]> {
  const pids = await processesNaming(folder);
  for (const pid of pids) {
    try {
      kill(pid, 'SIGKILL');
    } catch {
      // ESRCH: it ended meanwhile, which is what was wanted.
    }
  }
  await removeTurnFolder(folder);
  return [...pids.map((pid) => `the coturn process ${pid}`), `the folder ${folder}`];
}

/** Those that have a file of the folder on their command line. */
async function processesNaming(folder: string): Promise<readonly number[]> {
  const names = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    names.map(async (name) => {
      const line = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
      return line.split('\0').some((argument) => argument.startsWith(`${folder}/`)) ? [Number(name)] : [];
    }),
  );
  return found.flat();
}
