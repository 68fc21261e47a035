import { readFile } from 'node:fs/promises';
import type { HostRoom } from '../../analysis/needs/plan-cost.js';
import { coreCount } from '../../host/core-count.js';
import { ownCpuQuota } from '../../host/cpu-quota.js';

/** What this host has to give to probes; where there is no /proc, nothing is known. */
export async function readHostRoom(): Promise<HostRoom> {
  const [memory, limits, ports] = await Promise.all(
    ['/proc/meminfo', '/proc/self/limits', '/proc/sys/net/ipv4/ip_local_port_range'].map((path) =>
      readFile(path, 'utf8').catch(() => ''),
    ),
  );
  const quota = await ownCpuQuota();
  const cores = Math.min(coreCount(), quota ?? Number.POSITIVE_INFINITY);
  return { ...roomOf({ memory: memory ?? '', limits: limits ?? '', ports: ports ?? '' }), cores };
}

/** Reads the three files of proc(5). Node raises its own soft limit of open files to the hard one when it starts. */
export function roomOf(files: { readonly memory: string; readonly limits: string; readonly ports: string }): HostRoom {
  const availableKb = /^MemAvailable:\s+(\d+) kB$/m.exec(files.memory)?.[1];
  const openFiles = /^Max open files\s+(\d+)/m.exec(files.limits)?.[1];
  const [, low, high] = /^(\d+)\s+(\d+)/.exec(files.ports) ?? [];
  return {
    ...(availableKb === undefined ? {} : { memoryMb: Math.floor(Number(availableKb) / 1024) }),
    ...(openFiles === undefined ? {} : { openFiles: Number(openFiles) }),
    ...(low === undefined || high === undefined ? {} : { udpPorts: Number(high) - Number(low) + 1 }),
  };
}
