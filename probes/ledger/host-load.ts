import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { ControlGroups } from '../../host/control-groups.js';
import { type QuotaCounts, readQuotas, throttledShareBetween } from '../../host/cpu-quota.js';
import { coresAtMost, cpuUse } from '../../host/cpu-use.js';
import { type ProcessStat, readProcesses, ticksPerSecond, treeOf } from '../../host/processes.js';
import type { ProbeHostReading } from '../../model/evidence.js';
import { type LinkCounts, linkLoadBetween, readLink } from './host-link.js';

/** The first line of `/proc/stat` (proc(5)), in clock ticks of all CPUs together. */
interface CpuTicks {
  readonly cores: number;
  /** Waiting for a disk is idle. */
  readonly idle: number;
  readonly steal: number;
  /** All that was counted; it is no clock, as the kernel may miss work that begins and ends between two ticks. */
  readonly counted: number;
}

/** `guest` is part of `user` already. */
export function parseCpuTicks(text: string): CpuTicks | undefined {
  const line = /^cpu\s+(.+)$/m.exec(text)?.[1];
  const [user, nice, system, idle, wait, irq, softirq, steal] = (line ?? '').split(/\s+/).map(Number);
  if (user === undefined || nice === undefined || system === undefined || idle === undefined) return undefined;
  const counted = user + nice + system + idle + (wait ?? 0) + (irq ?? 0) + (softirq ?? 0) + (steal ?? 0);
  const cores = text.match(/^cpu\d+ /gm)?.length ?? 1;
  return { cores, idle: idle + (wait ?? 0), steal: steal ?? 0, counted };
}

export function parseAvailableMb(meminfo: string): number | undefined {
  const kb = /^MemAvailable:\s+(\d+) kB$/m.exec(meminfo)?.[1];
  return kb === undefined ? undefined : Number(kb) / 1024;
}

export interface HostSnapshot {
  readonly atMs: number;
  /** When the CPUs were read, by `performance.now()`. */
  readonly cpuAtMs: number;
  readonly cpu: CpuTicks;
  readonly probes: readonly ProcessStat[];
  readonly memoryAvailableMb: number;
  readonly quotas?: QuotaCounts | undefined;
  readonly link?: LinkCounts | undefined;
}

/** Load between two snapshots, in cores. Processes that ended in between are missing: a lower bound for probes. */
export function loadBetween(before: HostSnapshot, now: HostSnapshot): ProbeHostReading | undefined {
  const ticks = ((now.cpuAtMs - before.cpuAtMs) / 1000) * ticksPerSecond;
  if (ticks <= 0 || now.cpu.counted <= before.cpu.counted) return undefined;
  const { cores } = now.cpu;
  const idle = now.cpu.idle - before.cpu.idle;
  const { busyCores, stolenCores } = cpuUse(cores, { idle, stolen: now.cpu.steal - before.cpu.steal, elapsed: ticks });
  const earlier = new Map(before.probes.map((process) => [`${process.pid}/${process.startTicks}`, process.cpuTicks]));
  const probeTicks = now.probes.reduce(
    (sum, process) => sum + process.cpuTicks - (earlier.get(`${process.pid}/${process.startTicks}`) ?? 0),
    0,
  );
  const throttledShare = throttledShareBetween(before.quotas, now.quotas);
  return {
    atMs: now.atMs,
    cores,
    busyCores,
    stealCores: stolenCores,
    probeCores: coresAtMost(cores, probeTicks / ticks),
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
    const stat = readFileSync('/proc/stat', 'utf8');
    const cpuAtMs = performance.now();
    const [meminfo, processes, quotas, link] = await Promise.all([
      readFile('/proc/meminfo', 'utf8'),
      readProcesses(),
      readQuotas(roots, groups),
      readLink(),
    ]);
    const cpu = parseCpuTicks(stat);
    const memoryAvailableMb = parseAvailableMb(meminfo);
    if (!cpu || memoryAvailableMb === undefined) return undefined;
    return { atMs: Date.now(), cpuAtMs, cpu, probes: treeOf(processes, roots), memoryAvailableMb, quotas, link };
  } catch {
    // No /proc: another operating system. The reading is then absent, and the report says so.
    return undefined;
  }
}
