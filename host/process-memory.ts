import { readFile } from 'node:fs/promises';
import { findRoots, type ProcessStat, processesWith, readProcesses, treeOf } from './processes.js';

/**
 * Memory of the processes with a matching command-line argument and all below them, MiB: the sum of `Pss` of
 * `/proc/PID/smaps_rollup`, which shares out the pages that processes have in common. (A sum of RSS counts them once
 * for each process: two to four times too much.) 0 where there is no /proc.
 */
export async function readTreesPss(matches: (argument: string) => boolean): Promise<number> {
  return pssOf(treeOf(await readProcesses(), await findRoots(matches)));
}

/** The same of those alone that a process has started itself. */
export async function readChildrenPss(parent: number, matches: (argument: string) => boolean): Promise<number> {
  const all = await readProcesses();
  const named = new Set(await processesWith(matches));
  const own = all.filter((process) => process.parent === parent && named.has(process.pid));
  return pssOf(treeOf(all, new Set(own.map(({ pid }) => pid))));
}

async function pssOf(tree: readonly ProcessStat[]): Promise<number> {
  const pss = await Promise.all(tree.map(({ pid }) => readPssKb(pid)));
  return pss.reduce((sum, kb) => sum + kb, 0) / 1024;
}

/** Of one process; 0 where it may not be read. */
export async function readPssKb(pid: number): Promise<number> {
  return parsePssKb(await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => ''));
}

export function parsePssKb(rollup: string): number {
  return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? 0);
}
