import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { ControlGroups } from '../../host/control-groups.js';
import { allowedCpus, cpusIn } from '../../host/core-count.js';
import { type QuotaCounts, readQuotas, throttledShareBetween } from '../../host/cpu-quota.js';
import { coresAtMost, cpuUse } from '../../host/cpu-use.js';
import { type ProcessStat, readProcesses, ticksPerSecond, treeOf } from '../../host/processes.js';
import { readText } from '../../host/read-text.js';
import type { ProbeHostReading } from '../../model/evidence.js';

/** `/proc/stat` (proc(5)), in clock ticks of all CPUs together, or of those that the probes may run on. */
interface CpuTicks {
  readonly cores: number;
  /** Which they are, where they are not all; and how many there are. */
  readonly cpus?: { readonly names: string; readonly of: number };
  /** Waiting for a disk is idle. */
  readonly idle: number;
  readonly steal: number;
  /** All that was counted; it is no clock, as the kernel may miss work that begins and ends between two ticks. */
  readonly counted: number;
}

/** `guest` is part of `user` already. `allowed`: the CPUs that the probes may run on; of one that is not there: all. */
export function parseCpuTicks(text: string, allowed: readonly number[] = []): CpuTicks | undefined {
  const each = [...text.matchAll(/^cpu(\d+) (.+)$/gm)];
  const own = each.filter(([, cpu]) => allowed.includes(Number(cpu)));
  const isHeld = own.length > 0 && own.length === allowed.length && own.length < each.length;
  const lines = isHeld ? own.map(([, , ticks]) => ticks) : [/^cpu\s+(.+)$/m.exec(text)?.[1]];
  const rows = lines.map((line = '') => line.split(/\s+/).map(Number));
  const [user, nice, system, idle, wait, irq, softirq, steal] = (rows[0] ?? []).map((_, column) =>
    rows.reduce((sum, row) => sum + (row[column] ?? Number.NaN), 0),
  );
  if (user === undefined || nice === undefined || system === undefined || idle === undefined) return undefined;
  const counted = user + nice + system + idle + (wait ?? 0) + (irq ?? 0) + (softirq ?? 0) + (steal ?? 0);
  const cores = isHeld ? own.length : each.length || 1;
  const cpus = isHeld ? { cpus: { names: allowed.join(), of: each.length } } : {};
  return { cores, ...cpus, idle: idle + (wait ?? 0), steal: steal ?? 0, counted };
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
  if (now.cpu.cpus?.names !== before.cpu.cpus?.names) return undefined;
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
    ...(now.cpu.cpus ? { machineCores: now.cpu.cpus.of } : {}),
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
    const cpu = parseCpuTicks(stat, cpusIn(allowedCpus('self')));
    const memoryAvailableMb = parseAvailableMb(meminfo);
    if (!cpu || memoryAvailableMb === undefined) return undefined;
    return { atMs: Date.now(), cpuAtMs, cpu, probes: treeOf(processes, roots), memoryAvailableMb, quotas, link };
  } catch {
    // No /proc: another operating system. The reading is then absent, and the report says so.
    return undefined;
  }
}

/** What went over the interface of the default route so far, bytes, and what it says it carries. */
export interface LinkCounts {
  readonly name: string;
  readonly speedKbps: number;
  readonly receivedBytes: number;
  readonly sentBytes: number;
}

/**
 * Of the host's way to others. `undefined` where there is none, or where the interface does not say how much it
 * carries, as most virtual ones do not: then nothing is known of it, and a full one is not found.
 */
async function readLink(): Promise<LinkCounts | undefined> {
  const name = parseDefaultInterface(await readText('/proc/net/route'));
  if (name === undefined) return undefined;
  const [speed, counters] = await Promise.all([readText(`/sys/class/net/${name}/speed`), readText('/proc/net/dev')]);
  const speedKbps = 1000 * Number(speed.trim() || Number.NaN);
  const bytes = parseBytes(counters, name);
  return bytes && speedKbps > 0 ? { name, speedKbps, ...bytes } : undefined;
}

/** The interface of the route to 0.0.0.0 with the lowest metric (kernel: net/ipv4/fib_trie.c, `fib_route_seq_show`). */
export function parseDefaultInterface(routes: string): string | undefined {
  const defaults = routes
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, destination, , , , , , mask]) => destination === '00000000' && mask === '00000000')
    .map(([name = '', , , , , , metric]) => ({ name, metric: Number(metric) }));
  return defaults.sort((a, b) => a.metric - b.metric)[0]?.name;
}

/** Columns 1 and 9 of its line in /proc/net/dev (proc_pid_net(5)). */
export function parseBytes(text: string, name: string): Pick<LinkCounts, 'receivedBytes' | 'sentBytes'> | undefined {
  const line = text.split('\n').find((one) => one.trim().startsWith(`${name}:`));
  const counts = line
    ?.slice(line.indexOf(':') + 1)
    .trim()
    .split(/\s+/)
    .map(Number);
  const [receivedBytes, sentBytes] = [counts?.[0], counts?.[8]];
  if (receivedBytes === undefined || sentBytes === undefined) return undefined;
  return Number.isFinite(receivedBytes + sentBytes) ? { receivedBytes, sentBytes } : undefined;
}

/** The fuller direction. Nothing of a link that is another one now, or was counted anew. */
export function linkLoadBetween(
  before: LinkCounts | undefined,
  now: LinkCounts | undefined,
  widthMs: number,
): Pick<ProbeHostReading, 'linkKbps' | 'linkSpeedKbps'> {
  if (!before || !now || before.name !== now.name || widthMs <= 0) return {};
  const grown = [now.receivedBytes - before.receivedBytes, now.sentBytes - before.sentBytes];
  if (grown.some((bytes) => bytes < 0)) return {};
  return { linkKbps: (8 * Math.max(...grown)) / widthMs, linkSpeedKbps: now.speedKbps };
}
