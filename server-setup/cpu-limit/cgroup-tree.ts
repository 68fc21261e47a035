import { readText } from '../../host/read-text.js';

/** Where CPU, or another thing, is limited on this host, and in which of the two forms of cgroups(7). */
export interface CgroupTree {
  readonly version: 1 | 2;
  readonly folder: string;
}

/**
 * The hierarchy that has the controller, `cpu` or another; `undefined` where there is none. Hosts in "hybrid" mode mount both
 * versions: a controller belongs to one of them, and version 1 names its own among the mount options.
 */
export async function findCgroupTree(
  mountsFile = '/proc/mounts',
  controller: 'cpu' | 'memory' = 'cpu',
): Promise<CgroupTree | undefined> {
  const mounts = (await readText(mountsFile))
    .split('\n')
    .map((line) => line.split(' '))
    .flatMap(([, folder, type, options]) => (folder && type ? [{ folder, type, options: options ?? '' }] : []));
  const first = mounts.find(({ type, options }) => type === 'cgroup' && options.split(',').includes(controller));
  if (first) return { version: 1, folder: first.folder };
  for (const { folder } of mounts.filter(({ type }) => type === 'cgroup2')) {
    const controllers = (await readText(`${folder}/cgroup.controllers`)).trim().split(/\s+/);
    if (controllers.includes(controller)) return { version: 2, folder };
  }
  return undefined;
}
