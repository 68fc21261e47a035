import { join } from 'node:path';
import type { ControlGroups } from './control-groups.js';
import { readText } from './read-text.js';

const mb = 1024 * 1024;
/** Where there is no limit, version 1 writes the largest multiple of a page below 2^63. Nobody has a petabyte. */
const noLimitBytes = 2 ** 50;

/**
 * What control groups allow a process and the others in them of memory, MB: the least of all levels, but for those that
 * this process is in, too. `memory.max` in version 2, "max" where there is none; `memory.limit_in_bytes` in version 1.
 */
export async function memoryLimitMb(pid: number, groups: ControlGroups): Promise<number | undefined> {
  const limits = await Promise.all((await groups.apart(pid, 'memory')).map(limitIn));
  const known = limits.flatMap((limit) => limit ?? []);
  return known.length === 0 ? undefined : Math.min(...known) / mb;
}

async function limitIn(folder: string): Promise<number | undefined> {
  const [second, first] = await Promise.all(
    ['memory.max', 'memory.limit_in_bytes'].map((name) => readText(join(folder, name))),
  );
  const bytes = Number.parseInt(second || first || '', 10);
  return bytes > 0 && bytes < noLimitBytes ? bytes : undefined;
}
