import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pid as ownPid } from 'node:process';
import { isRunning } from './processes.js';

/** Temporary folders of one kind, each named after the process that owns it: what a killed one left has a dead owner. */
export interface OwnedFolders {
  /** A new one of this process in `parent`. Rejects with the file system's error. */
  make(parent: string): Promise<string>;
  /** The process that made a folder, by its name or path; `undefined` when it is none of these. */
  ownerOf(path: string): number | undefined;
  /** Paths of those in `parent` whose owner is gone. Never rejects. */
  abandoned(parent: string, alive?: (pid: number) => boolean): Promise<readonly string[]>;
  /** Removes those in `parent` whose owner is gone, and returns their paths. Never rejects. */
  removeAbandoned(parent: string): Promise<readonly string[]>;
}

export function ownedFolders(kind: string): OwnedFolders {
  const pattern = new RegExp(`(?:^|/)loadline-${kind}-(\\d+)-`);
  const ownerOf = (path: string): number | undefined => {
    const owner = pattern.exec(path)?.[1];
    return owner === undefined ? undefined : Number(owner);
  };
  const abandoned = async (parent: string, alive = isRunning): Promise<readonly string[]> => {
    const names = await readdir(parent).catch((): string[] => []);
    const left = names.filter((name) => {
      const owner = ownerOf(name);
      return owner !== undefined && !alive(owner);
    });
    return left.map((name) => join(parent, name));
  };
  return {
    make: (parent) => mkdtemp(join(parent, `loadline-${kind}-${ownPid}-`)),
    ownerOf,
    abandoned,
    async removeAbandoned(parent) {
      const folders = await abandoned(parent);
      await Promise.all(folders.map(removeFolder));
      return folders;
    },
  };
}

/** Never rejects: a process that is just ending may still write, so it is tried again for a while. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }).catch(() => undefined);
}
