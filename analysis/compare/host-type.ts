import type { Manifest } from '../../model/run.js';

/** "4 cores, AMD EPYC 7571"; of a server elsewhere nothing but its name is known. */
export function hostTypeOf({ hostType, server, host }: Manifest): string {
  if (hostType !== undefined) return hostType;
  if (!server.sameHost) return `the host of ${server.name}`;
  const cores = server.cpuLimitCores ?? server.heldTo?.cores;
  const limits = [
    cores === undefined ? [] : `${cores} cores of it`,
    server.heldTo?.memoryMb === undefined ? [] : `${Math.round(server.heldTo.memoryMb)} MB of it`,
    server.egressLimitBps === undefined ? [] : `${server.egressLimitBps / 1e6} Mbit/s`,
  ].flat();
  const model = host.cpuModel === '' ? [] : [host.cpuModel];
  return [`${host.cores} cores`, ...model, ...limits].join(', ');
}
