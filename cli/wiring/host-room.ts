import type { HostRoom } from '../../analysis/needs/plan-cost.js';
import { coreCount, coresHeldTo } from '../../host/core-count.js';
import { ownCpuQuota } from '../../host/cpu-quota.js';
import { readText } from '../../host/read-text.js';
import { given } from '../../model/given.js';

/** What this host has to give to probes; where there is no /proc, nothing is known. */
export async function readHostRoom(): Promise<HostRoom & { readonly cores: number }> {
  const [memory = '', limits = '', ports = ''] = await Promise.all(
    ['/proc/meminfo', '/proc/self/limits', '/proc/sys/net/ipv4/ip_local_port_range'].map(readText),
  );
  const held = coresHeldTo('self', await ownCpuQuota()) ?? coreCount();
  return { ...roomOf({ memory, limits, ports }), cores: Math.min(coreCount(), held) };
}

/** Reads the three files of proc(5). Node raises its own soft limit of open files to the hard one when it starts. */
export function roomOf(files: { readonly memory: string; readonly limits: string; readonly ports: string }): HostRoom {
  const availableKb = /^MemAvailable:\s+(\d+) kB$/m.exec(files.memory)?.[1];
  const openFiles = /^Max open files\s+(\d+)/m.exec(files.limits)?.[1];
  const [, low, high] = /^(\d+)\s+(\d+)/.exec(files.ports) ?? [];
  return given({
    memoryMb: availableKb === undefined ? undefined : Math.floor(Number(availableKb) / 1024),
    openFiles: openFiles === undefined ? undefined : Number(openFiles),
    udpPorts: low === undefined || high === undefined ? undefined : Number(high) - Number(low) + 1,
  });
}
