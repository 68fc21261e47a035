import { readText } from '../../host/read-text.js';

/** Where CPU is limited on this host, and in which of the two forms of cgroups(7). */
export interface CgroupTree {
  readonly version: 1 | 2;
  readonly folder: string;
}

/**
 * The hierarchy that has the `cpu` controller; `undefined` where there is none. Hosts in "hybrid" mode mount both
 * versions: a controller belongs to one of them, and version 1 names its own among the mount options.
 */
export async function findCgroupTree(mountsFile = '/proc/mounts'): Promise<CgroupTree | undefined> {
  const mounts = (await readText(mountsFile))
    .split('\n')
    .map((line) => line.split(' '))
    .flatMap(([, folder, type, options]) => (folder && type ? [{ folder, type, options: options ?? '' }] : []));
  const first = mounts.find(({ type, options }) => type === 'cgroup' && options.split(',').includes('cpu'));
  if (first) return { version: 1, folder: first.folder };
  for (const { folder } of mounts.filter(({ type }) => type === 'cgroup2')) {
    const controllers = (await readText(`${folder}/cgroup.controllers`)).trim().split(/\s+/);
    if (controllers.includes('cpu')) return { version: 2, folder };
  }
  return undefined;
}
