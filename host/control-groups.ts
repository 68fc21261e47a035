import { dirname, join } from 'node:path';
import { readText } from './read-text.js';

export type GroupController = 'cpu' | 'memory';

/** The folders of the groups of a process, which may be unreadable or none: then an empty list. */
export async function groupsOf(pid: number | 'self', controller: GroupController): Promise<readonly string[]> {
  const [groups, mounts] = await Promise.all([`/proc/${pid}/cgroup`, '/proc/self/mountinfo'].map(readText));
  return groupFolders(groups ?? '', mounts ?? '', controller);
}

/**
 * Those of them that this process is not in itself. What limits a whole machine or container, the one that asks and all that it
 * started included, is no limit of the other process alone.
 */
export async function groupsApart(pid: number, controller: GroupController): Promise<readonly string[]> {
  const paths = [`/proc/${pid}/cgroup`, '/proc/self/cgroup', '/proc/self/mountinfo'];
  const [its = '', ours = '', mounts = ''] = await Promise.all(paths.map(readText));
  const oursToo = groupFolders(ours, mounts, controller);
  return groupFolders(its, mounts, controller).filter((folder) => !oursToo.includes(folder));
}

/**
 * The folders of the control group that a process is in, and of those above it: a limit may be set on any level.
 * From `/proc/PID/cgroup` and `/proc/self/mountinfo` (cgroups(7)); in version 1 the hierarchy of one controller.
 */
export function groupFolders(groups: string, mountinfo: string, controller: GroupController): readonly string[] {
  const mounts = mountinfo.split('\n').flatMap(parseMount);
  return groups.split('\n').flatMap((line) => {
    const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    if (controllers === undefined || path === undefined) return [];
    const mount = mounts.find(({ v2, options }) =>
      controllers === '' ? v2 : !v2 && controllers.split(',').includes(controller) && options.includes(controller),
    );
    if (!mount) return [];
    // In a container the mount may show a part of the tree only; a path outside of it cannot be read.
    const inside = mount.root === '/' ? path : path.startsWith(mount.root) ? path.slice(mount.root.length) : '/';
    return ancestorsOf(inside || '/').map((level) => (level === '/' ? mount.point : join(mount.point, level)));
  });
}

function parseMount(line: string) {
  // proc(5): ID parent major:minor root mount-point options … - type source super-options
  const [before = '', after = ''] = line.split(' - ');
  const [, , , root, point] = before.split(' ');
  const [type, , options] = after.split(' ');
  if (root === undefined || point === undefined || (type !== 'cgroup' && type !== 'cgroup2')) return [];
  return [{ root, point, v2: type === 'cgroup2', options: (options ?? '').split(',') }];
}

function ancestorsOf(path: string): string[] {
  const above = dirname(path);
  return above === path ? [path] : [path, ...ancestorsOf(above)];
}
