import { readdir, readFile } from 'node:fs/promises';

/** What `/proc/PID/stat` says of one process (proc(5)); times in clock ticks. */
export interface ProcessStat {
  readonly pid: number;
  readonly parent: number;
  /** utime + stime of the process itself, without its children. */
  readonly cpuTicks: number;
  /** Ticks since boot: with the pid it names a process for good. */
  readonly startTicks: number;
}

/** The command's name is in parentheses and may itself hold spaces and parentheses: fields count from the last one. */
export function parseProcessStat(text: string): ProcessStat | undefined {
  const nameEnd = text.lastIndexOf(')');
  const pid = Number.parseInt(text, 10);
  const fields = text.slice(nameEnd + 2).split(' ');
  // proc(5) numbers from 1 and the state is field 3: ppid 4, utime 14, stime 15, starttime 22.
  const [parent, user, system, start] = [4, 14, 15, 22].map((number) => Number(fields[number - 3]));
  const numbers = [pid, parent, user, system, start];
  if (nameEnd === -1 || numbers.some((value) => value === undefined || !Number.isFinite(value))) return undefined;
  return { pid, parent: parent ?? 0, cpuTicks: (user ?? 0) + (system ?? 0), startTicks: start ?? 0 };
}

/** The processes below `roots`, these included. */
export function treeOf(all: readonly ProcessStat[], roots: ReadonlySet<number>): readonly ProcessStat[] {
  const inside = new Set(roots);
  let before = -1;
  while (inside.size !== before) {
    before = inside.size;
    for (const process of all) if (inside.has(process.parent)) inside.add(process.pid);
  }
  return all.filter((process) => inside.has(process.pid));
}

/** Every process there is now; one that ends while we look is left out. Rejects where there is no /proc. */
export async function readProcesses(): Promise<readonly ProcessStat[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const texts = await Promise.all(names.map((name) => readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')));
  return texts.map(parseProcessStat).filter((stat): stat is ProcessStat => stat !== undefined);
}

/** The pids with a matching command-line argument that no other such process started: the tops of their trees. */
export async function findRoots(matches: (argument: string) => boolean): Promise<ReadonlySet<number>> {
  const processes = await readProcesses();
  const matching = await Promise.all(
    processes.map(async ({ pid }) => {
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      return line.split('\0').some(matches);
    }),
  );
  const own = processes.filter((_, index) => matching[index]);
  const pids = new Set(own.map(({ pid }) => pid));
  return new Set(own.filter(({ parent }) => !pids.has(parent)).map(({ pid }) => pid));
}

/**
 * Memory of a process and all below it, MiB: the sum of `Pss` of `/proc/PID/smaps_rollup`, which shares out the pages
 * that processes have in common. (A sum of RSS counts them once for each process: two to four times too much.)
 */
export async function readProcessTreePss(pid: number): Promise<number> {
  const tree = treeOf(await readProcesses(), new Set([pid]));
  const rollups = await Promise.all(
    tree.map((process) => readFile(`/proc/${process.pid}/smaps_rollup`, 'utf8').catch(() => '')),
  );
  return rollups.reduce((sum, text) => sum + parsePssKb(text), 0) / 1024;
}

export function parsePssKb(rollup: string): number {
  return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? 0);
}
