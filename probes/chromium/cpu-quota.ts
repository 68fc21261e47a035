import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * A container that is held to half a core looks idle from its host: only the kernel's count of the periods in which it was
 * held back shows it. `cpu.stat` of a control group counts the periods in which a quota was enforced (`nr_periods`) and those in which it was used up
 * and everything in the group had to wait (`nr_throttled`). Both mean the same in cgroup v1 (controller `cpu`) and v2
 * (kernel: Documentation/scheduler/sched-bwc.rst).
 */
export interface QuotaCount {
  readonly periods: number;
  readonly throttled: number;
}

/** By folder of the control group. */
export type QuotaCounts = ReadonlyMap<string, QuotaCount>;

/**
 * The counts of the control groups of these processes and of every group above them: the quota may be set on any level.
 * `undefined` when nothing could be read.
 */
export async function readQuotas(pids: Iterable<number>): Promise<QuotaCounts | undefined> {
  const mounts = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '');
  const folders = new Set<string>();
  for (const pid of pids) {
    const groups = await readFile(`/proc/${pid}/cgroup`, 'utf8').catch(() => '');
    for (const folder of cpuGroupFolders(groups, mounts)) folders.add(folder);
  }
  const counts = new Map<string, QuotaCount>();
  for (const folder of folders) {
    const count = parseCpuStat(await readFile(join(folder, 'cpu.stat'), 'utf8').catch(() => ''));
    if (count) counts.set(folder, count);
  }
  return counts.size === 0 ? undefined : counts;
}

/** Of the groups that enforced a quota in between, the worst: the share of periods in which it held its processes back. */
export function throttledShareBetween(
  before: QuotaCounts | undefined,
  now: QuotaCounts | undefined,
): number | undefined {
  if (!before || !now) return undefined;
  const shares = [...now].flatMap(([folder, { periods, throttled }]) => {
    const earlier = before.get(folder);
    const passed = periods - (earlier?.periods ?? periods);
    return earlier && passed > 0 ? [Math.min(1, Math.max(0, (throttled - earlier.throttled) / passed))] : [];
  });
  return Math.max(0, ...shares);
}

/** The folders of a process's CPU control group and those above it, from `/proc/PID/cgroup` and `/proc/self/mountinfo`. */
export function cpuGroupFolders(groups: string, mountinfo: string): readonly string[] {
  const mounts = mountinfo.split('\n').flatMap(parseMount);
  return groups.split('\n').flatMap((line) => {
    const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    if (controllers === undefined || path === undefined) return [];
    const mount = mounts.find(({ v2, options }) =>
      controllers === '' ? v2 : !v2 && controllers.split(',').includes('cpu') && options.includes('cpu'),
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

function parseCpuStat(text: string): QuotaCount | undefined {
  const periods = /^nr_periods (\d+)$/m.exec(text)?.[1];
  const throttled = /^nr_throttled (\d+)$/m.exec(text)?.[1];
  return periods === undefined || throttled === undefined
    ? undefined
    : { periods: Number(periods), throttled: Number(throttled) };
}
