import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { kill } from 'node:process';
import { setImmediate } from 'node:timers/promises';

/** Sends no signal: 0 only asks whether the process is there (kill(2)); EPERM means that it is, and another user's. */
export function isRunning(pid: number): boolean {
  try {
    return kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Ends a process at once. Nothing happens when it has ended meanwhile (ESRCH): that is what was wanted. */
export function killNow(pid: number): void {
  try {
    kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/** The kernel tells CPU time in ticks (USER_HZ): 100 wherever Node runs (proc(5), times(2)). */
export const ticksPerSecond = 100;

/** What `/proc/PID/stat` says of one process (proc(5)); times in clock ticks. */
export interface ProcessStat {
  readonly pid: number;
  readonly parent: number;
  /** One letter: `Z` was killed and waits to be reaped. */
  readonly state: string;
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
  const state = fields[0] ?? '';
  return { pid, parent: parent ?? 0, state, cpuTicks: (user ?? 0) + (system ?? 0), startTicks: start ?? 0 };
}

/** `undefined` for one that is not there, and where there is no /proc. */
export function readProcess(pid: number | 'self'): ProcessStat | undefined {
  try {
    return parseProcessStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return undefined;
  }
}

/** So many are read before anybody else has a turn, which takes some 4 ms. */
const inOneGo = 256;

/**
 * Every process there is now; one that ends while we look is left out. None where there is no /proc. The kernel has the
 * answers in memory: to read them in place costs a sixth of what it does through the threads that Node reads files
 * with.
 */
export async function readProcesses(): Promise<readonly ProcessStat[]> {
  const pids = await processIds();
  const stats: ProcessStat[] = [];
  for (let from = 0; from < pids.length; from += inOneGo) {
    if (from > 0) await setImmediate();
    for (const pid of pids.slice(from, from + inOneGo)) {
      const stat = readProcess(pid);
      if (stat) stats.push(stat);
    }
  }
  return stats;
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

/** The command lines of all processes, by pid; of those of other users, too. None where there is no /proc. */
export async function readCommandLines(): Promise<ReadonlyMap<number, readonly string[]>> {
  const pids = await processIds();
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return new Map(pids.map((pid, index) => [pid, (lines[index] ?? '').split('\0')]));
}

/** The pids of those with a matching command-line argument. */
export async function processesWith(matches: (argument: string) => boolean): Promise<readonly number[]> {
  return [...(await readCommandLines())].filter(([, line]) => line.some(matches)).map(([pid]) => pid);
}

/** Those with a matching argument that no other such process started: the tops of their trees. */
export async function findRoots(matches: (argument: string) => boolean): Promise<ReadonlySet<number>> {
  const own = new Set(await processesWith(matches));
  const processes = await readProcesses();
  return new Set(processes.filter(({ pid, parent }) => own.has(pid) && !own.has(parent)).map(({ pid }) => pid));
}

/** All that are there now, ascending by name. */
export async function processIds(): Promise<readonly number[]> {
  const names = await readdir('/proc').catch((): string[] => []);
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}
