import { dirname, join } from 'node:path';
import { readText } from './read-text.js';

type GroupController = 'cpu' | 'memory';

/** Of all that one asks for there are a few; more would be processes that come and go. */
const mostKnown = 64;

/**
 * The folders of control groups. Whoever asks each second keeps one of these: folders are looked up again only when
 * `/proc/PID/cgroup` says something else than before.
 */
export class ControlGroups {
  private readonly known = new Map<string, readonly string[]>();

  constructor(private readonly read: (path: string) => Promise<string> = readText) {}

  /** Of the groups of a process, which may be unreadable or none: then an empty list. */
  async of(pid: number | 'self', controller: GroupController): Promise<readonly string[]> {
    return this.folders(await this.read(`/proc/${pid}/cgroup`), controller);
  }

  /**
   * Those of them that this process is not in itself. What limits a whole machine or container, the one that asks and
   * all that it started included, is no limit of the other process alone.
   */
  async apart(pid: number, controller: GroupController): Promise<readonly string[]> {
    const [its, ours] = await Promise.all([this.of(pid, controller), this.of('self', controller)]);
    return its.filter((folder) => !ours.includes(folder));
  }

  private async folders(groups: string, controller: GroupController): Promise<readonly string[]> {
    const key = `${controller} ${groups}`;
    const known = this.known.get(key);
    if (known) return known;
    const folders = groupFolders(groups, await this.read('/proc/self/mountinfo'), controller);
    // What was not found may be mounted later.
    if (folders.length === 0) return folders;
    if (this.known.size >= mostKnown) this.known.clear();
    this.known.set(key, folders);
    return folders;
  }
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
