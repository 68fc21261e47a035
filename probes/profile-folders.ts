import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { kill, pid } from 'node:process';

const prefix = 'loadline-chromium-';

/** A folder for one browser's profile and temporary files, named after this process. */
export function makeProfileFolder(temporaryRoot: string): Promise<string> {
  return mkdtemp(join(temporaryRoot, `${prefix}${pid}-`));
}

/** Never rejects: a browser that is just ending may still write, so it is tried again for a while. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }).catch(() => undefined);
}

/**
 * Removes the folders that a killed Loadline left in `temporaryRoot`: those whose process is gone. Its browsers end by
 * themselves when their control pipe closes. Returns the folders' paths.
 */
export async function removeLeftovers(temporaryRoot: string): Promise<readonly string[]> {
  const names = await readdir(temporaryRoot).catch((): string[] => []);
  const leftovers = names.filter((name) => isLeftover(name, isAlive)).map((name) => join(temporaryRoot, name));
  await Promise.all(leftovers.map(removeFolder));
  return leftovers;
}

export function isLeftover(name: string, alive: (pid: number) => boolean): boolean {
  const owner = profileOwner(name);
  return owner !== undefined && !alive(owner);
}

/** The process whose browser uses a profile, by the name or path of its folder. */
export function profileOwner(path: string): number | undefined {
  const owner = /(?:^|\/)loadline-chromium-(\d+)-/.exec(path)?.[1];
  return owner === undefined ? undefined : Number(owner);
}

function isAlive(owner: number): boolean {
  try {
    // Signal 0 only asks (kill(2)). A process of another user says EPERM, and lives.
    return kill(owner, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
