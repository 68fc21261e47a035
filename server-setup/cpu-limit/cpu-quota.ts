import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type CgroupTree, findCgroupTree } from './cgroup-tree.js';

/**
 * The cores that this process and its children may use together, where a cgroup that it is in says so: a container, a unit of
 * systemd. Each level up to the root may hold it to less. Undefined where none does, or nothing can be read (cgroups(7)).
 */
export async function ownCpuQuota(tree?: CgroupTree, ownFile = '/proc/self/cgroup'): Promise<number | undefined> {
  const found = tree ?? (await findCgroupTree());
  if (!found) return undefined;
  const quotas: number[] = [];
  for (let path = await ownPath(found, ownFile); ; path = dirname(path)) {
    const cores = await quotaOf(found, join(found.folder, path));
    if (cores !== undefined) quotas.push(cores);
    if (path === '/' || path === '.') break;
  }
  return quotas.length === 0 ? undefined : Math.min(...quotas);
}

/** Lines of "7:cpu,cpuacct:/path" in version 1, and "0::/path" in version 2. */
async function ownPath({ version }: CgroupTree, ownFile: string): Promise<string> {
  const lines = (await readText(ownFile)).split('\n').map((line) => /^\d+:([^:]*):(\/.*)$/.exec(line));
  const own = lines.find((line) => (version === 1 ? line?.[1]?.split(',').includes('cpu') : line?.[1] === ''));
  return own?.[2] ?? '/';
}

/** "max 100000" and -1 are no quota. */
async function quotaOf({ version }: CgroupTree, folder: string): Promise<number | undefined> {
  const [quota, period] =
    version === 2
      ? (await readText(join(folder, 'cpu.max'))).trim().split(' ')
      : await Promise.all(['cpu.cfs_quota_us', 'cpu.cfs_period_us'].map((name) => readText(join(folder, name))));
  const cores = Number.parseInt(quota ?? '', 10) / Number.parseInt(period ?? '', 10);
  return Number.isFinite(cores) && cores > 0 ? cores : undefined;
}

function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}
