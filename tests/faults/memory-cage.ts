import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rmdir, writeFile } from 'node:fs/promises';
import { isRoot } from './evidence-of-fault.js';

const root = '/sys/fs/cgroup';
const isV2 = existsSync(`${root}/cgroup.controllers`);
const folder = `${root}/${isV2 ? '' : 'memory/'}loadline-test-${process.pid}`;

/** A cgroup in which processes run out of memory, and nobody beside them. */
export class MemoryCage {
  impossible(): string | undefined {
    if (!isRoot()) return 'needs root';
    const controllers = `${root}/cgroup.subtree_control`;
    const has = isV2 ? readFileSync(controllers, 'utf8').includes('memory') : existsSync(`${root}/memory/cgroup.procs`);
    return has ? undefined : 'needs the memory controller of cgroups';
  }

  async make(): Promise<void> {
    await mkdir(folder);
  }

  /**
   * What they have stays theirs; from here on they get so much more. One that has ended meanwhile is not there to be
   * held.
   */
  async hold(pids: readonly number[], megabytes: number): Promise<void> {
    await writeFile(`${folder}/${isV2 ? 'memory.max' : 'memory.limit_in_bytes'}`, String(megabytes * 1_048_576));
    for (const pid of pids) await writeFile(`${folder}/cgroup.procs`, String(pid)).catch(() => undefined);
  }

  async remove(): Promise<void> {
    await rmdir(folder);
  }
}
