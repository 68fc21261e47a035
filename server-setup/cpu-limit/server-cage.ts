import { readFile, rmdir } from 'node:fs/promises';
import { kill, pid as ownPid } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { once } from '../../host/once.js';
import { LoadlineError, messageOf } from '../../model/errors.js';
import { findCgroupTree, makeCage, makeGroup, neededTree, ownGroup } from './cpu-cage.js';

/** What a server that a command starts is held to; what is absent is not limited. */
interface ServerLimits {
  readonly cores?: number;
  readonly memoryBytes?: number;
}

/** A process is held by writing its number into each of `procs`; `close` ends all that is left inside. */
interface ServerCage {
  readonly procs: readonly string[];
  close(): Promise<void>;
}

/** One at a time for a process of Loadline. Throws E_CPU_LIMIT; then nothing is left behind. */
export async function openServerCage({ cores, memoryBytes }: ServerLimits): Promise<ServerCage> {
  const folders: string[] = [];
  const close = once(async () => {
    for (let left = 20; left > 0 && (await killedIn(folders)) > 0; left -= 1) await sleep(100);
    for (const folder of folders) await rmdir(folder).catch(() => undefined);
  });
  try {
    if (cores !== undefined) folders.push(await makeCage(await neededTree(), cores));
    if (memoryBytes !== undefined) folders.push(await memoryCage(memoryBytes));
  } catch (error) {
    await close();
    throw error;
  }
  return { procs: [...new Set(folders)].map((folder) => `${folder}/cgroup.procs`), close };
}

async function memoryCage(bytes: number): Promise<string> {
  const tree = await findCgroupTree('/proc/mounts', 'memory');
  try {
    if (!tree) throw new Error('no hierarchy with "memory" is mounted (/proc/mounts)');
    const file = tree.version === 2 ? 'memory.max' : 'memory.limit_in_bytes';
    await makeGroup(tree, 'memory', { [file]: String(Math.round(bytes)) });
    return ownGroup(tree);
  } catch (cause) {
    throw new LoadlineError('E_CPU_LIMIT', 'The memory limit cannot be set here.', {
      where: 'memory',
      why: messageOf(cause),
      todo: 'run the same command as root, or leave memory out',
      cause,
    });
  }
}

/** How many processes it found inside. */
async function killedIn(folders: readonly string[]): Promise<number> {
  const texts = await Promise.all(folders.map((folder) => readFile(`${folder}/cgroup.procs`, 'utf8').catch(() => '')));
  const inside = new Set(texts.flatMap((text) => text.split('\n').filter(Boolean).map(Number)));
  for (const one of inside) {
    try {
      if (one !== ownPid) kill(one, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
  return inside.size;
}
