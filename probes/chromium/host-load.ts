import { readFile } from 'node:fs/promises';
import type { ControlGroups } from '../../host/control-groups.js';
import { type QuotaCounts, readQuotas, throttledShareBetween } from '../../host/cpu-quota.js';
import { type ProcessStat, readProcesses, treeOf } from '../../host/processes.js';
import type { ProbeHostReading } from '../../model/evidence.js';
import { type LinkCounts, linkLoadBetween, readLink } from './host-link.js';

/** The first line of `/proc/stat` (proc(5)), in clock ticks of all CPUs together. */
export interface CpuTicks {
  readonly cores: number;
  readonly busy: number;
  readonly steal: number;
  readonly total: number;
}

/** `guest` is part of `user` already. Waiting for a disk is idle. */
export function parseCpuTicks(text: string): CpuTicks | undefined {
  const line = /^cpu\s+(.+)$/m.exec(text)?.[1];
  const [user, nice, system, idle, wait, irq, softirq, steal] = (line ?? '').split(/\s+/).map(Number);
  if (user === undefined || nice === undefined || system === undefined || idle === undefined) return undefined;
  const busy = user + nice + system + (irq ?? 0) + (softirq ?? 0);
  const cores = text.match(/^cpu\d+ /gm)?.length ?? 1;
  return { cores, busy, steal: steal ?? 0, total: busy + idle + (wait ?? 0) + (steal ?? 0) };
}

export function parseAvailableMb(meminfo: string): number | undefined {
  const kb = /^MemAvailable:\s+(\d+) kB$/m.exec(meminfo)?.[1];
  return kb === undefined ? undefined : Number(kb) / 1024;
}

export interface HostSnapshot {
  readonly atMs: number;
  readonly cpu: CpuTicks;
  readonly probes: readonly ProcessStat[];
  readonly memoryAvailableMb: number;
  readonly quotas?: QuotaCounts | undefined;
  readonly link?: LinkCounts | undefined;
}

/**
 * The load between two snapshots, in cores. Ticks are set in relation to the total of all CPUs, so that the length of a
 * tick need not be known. A process that ended in between takes its last share with it: the figure is a lower bound.
 */
export function loadBetween(before: HostSnapshot, now: HostSnapshot): ProbeHostReading | undefined {
  const total = now.cpu.total - before.cpu.total;
  if (total <= 0) return undefined;
  const cores = (ticks: number): number => Math.max(0, (ticks / total) * now.cpu.cores);
  const earlier = new Map(before.probes.map((process) => [`${process.pid}/${process.startTicks}`, process.cpuTicks]));
  const probeTicks = now.probes.reduce(
    (sum, process) => sum + process.cpuTicks - (earlier.get(`${process.pid}/${process.startTicks}`) ?? 0),
    0,
  );
  const throttledShare = throttledShareBetween(before.quotas, now.quotas);
  return {
    atMs: now.atMs,
    cores: now.cpu.cores,
    busyCores: cores(now.cpu.busy - before.cpu.busy),
    stealCores: cores(now.cpu.steal - before.cpu.steal),
    probeCores: cores(probeTicks),
    memoryAvailableMb: now.memoryAvailableMb,
    ...(throttledShare === undefined ? {} : { throttledShare }),
    ...linkLoadBetween(before.link, now.link, now.atMs - before.atMs),
  };
}

/** `undefined` where there is no /proc, or it cannot be understood. */
export async function takeSnapshot(
  roots: ReadonlySet<number>,
  groups: ControlGroups,
): Promise<HostSnapshot | undefined> {
  try {
    const [stat, meminfo, processes, quotas, link] = await Promise.all([
      readFile('/proc/stat', 'utf8'),
      readFile('/proc/meminfo', 'utf8'),
      readProcesses(),
      readQuotas(roots, groups),
      readLink(),
    ]);
    const cpu = parseCpuTicks(stat);
    const memoryAvailableMb = parseAvailableMb(meminfo);
    if (!cpu || memoryAvailableMb === undefined) return undefined;
    return { atMs: Date.now(), cpu, probes: treeOf(processes, roots), memoryAvailableMb, quotas, link };
  } catch {
    // No /proc: another operating system. The reading is then absent, and the report says so.
    return undefined;
  }
}
