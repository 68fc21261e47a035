import { lstat, mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { getuid, pid as ownPid } from 'node:process';
import { processSpace } from './process-space.js';
import { isRunning } from './processes.js';
import { removeFolder } from './remove-folder.js';

/**
 * Temporary folders of one kind, each named after the process that owns it, and where that is counted: what a killed
 * one left has a dead owner.
 */
export interface OwnedFolders {
  /** A new one of this process in `parent`. Rejects with the file system's error. */
  make(parent: string): Promise<string>;
  /** The process that made a folder, by its name or path; `undefined` when it is none of these. */
  ownerOf(path: string): number | undefined;
  /**
   * Paths of those in `parent` whose owner is gone and that belong to this user: anybody can choose a name. Those of
   * other containers are not: whether their owner is gone cannot be known here. Never rejects.
   */
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
  const isCountedHere = (name: string) => name.startsWith(`loadline-${kind}-${ownerOf(name)}-${processSpace}-`);
  const abandoned = async (parent: string, alive = isRunning): Promise<readonly string[]> => {
    const names = await readdir(parent).catch((): string[] => []);
    const left = names.filter((name) => {
      const owner = ownerOf(name);
      return owner !== undefined && isCountedHere(name) && !alive(owner);
    });
    const paths = left.map((name) => join(parent, name));
    const ours = await Promise.all(paths.map(isOwn));
    return paths.filter((_, index) => ours[index]);
  };
  return {
    make: (parent) => mkdtemp(join(parent, `loadline-${kind}-${ownPid}-${processSpace}-`)),
    ownerOf,
    abandoned,
    async removeAbandoned(parent) {
      const folders = await abandoned(parent);
      await Promise.all(folders.map(removeFolder));
      return folders;
    },
  };
}

async function isOwn(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isDirectory() === true && (getuid === undefined || found.uid === getuid());
}
