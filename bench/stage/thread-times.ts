import { readdir, readFile } from 'node:fs/promises';
import { readCommandLines, readProcesses, ticksPerSecond, treeOf } from '../../host/processes.js';

/** CPU seconds by "renderer/Compositor", the kind of process and the thread, of a browser's processes together. */
export type ThreadTimes = ReadonlyMap<string, number>;

/** Of all processes below `roots`. The kernel keeps 15 letters of a thread's name; numbers at its end are left out. */
export async function threadTimes(roots: ReadonlySet<number>): Promise<ThreadTimes> {
  const lines = await readCommandLines();
  const times = new Map<string, number>();
  for (const { pid } of treeOf(await readProcesses(), roots)) {
    const kind = kindOf(lines.get(pid) ?? []);
    for (const task of await readdir(`/proc/${pid}/task`).catch(() => [])) {
      const stat = await readFile(`/proc/${pid}/task/${task}/stat`, 'utf8').catch(() => '');
      const thread = parseThread(stat);
      if (!thread) continue;
      const key = `${kind}/${thread.name}`;
      times.set(key, (times.get(key) ?? 0) + thread.seconds);
    }
  }
  return times;
}

/** Cores that each had in use between two readings. */
export function coresBetween(before: ThreadTimes, after: ThreadTimes, seconds: number): ThreadTimes {
  return new Map([...after].map(([key, value]) => [key, (value - (before.get(key) ?? 0)) / seconds]));
}

/** "renderer", "gpu-process", "audio": what Chromium calls its processes. */
function kindOf(line: readonly string[]): string {
  // Zygotes rewrite their command line as one text.
  const words = line.join(' ');
  const service = /--utility-sub-type=([a-z_]+)\./.exec(words)?.[1];
  const type = /--type=([a-z-]+)/.exec(words)?.[1];
  return service ?? type ?? (words.includes('--user-data-dir') ? 'browser' : 'starter');
}

/** proc(5): the name is in parentheses; utime and stime are fields 14 and 15. */
function parseThread(stat: string): { readonly name: string; readonly seconds: number } | undefined {
  const [start, end] = [stat.indexOf('('), stat.lastIndexOf(')')];
  const fields = stat.slice(end + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  if (start === -1 || !Number.isFinite(ticks)) return undefined;
  return { name: stat.slice(start + 1, end).replace(/\d+$/, ''), seconds: ticks / ticksPerSecond };
}
