import { givenTo } from '../../model/given-to.js';
import type { Manifest } from '../../model/run.js';

/** "4 cores, AMD EPYC 7571"; of a server elsewhere nothing but its name is known. */
export function hostTypeOf({ hostType, server, host }: Manifest): string {
  if (hostType !== undefined) return hostType;
  if (!server.sameHost) return `the host of ${server.name}`;
  const { cores, memoryMb, upLinkBps } = givenTo(server);
  const limits = [
    cores === undefined ? [] : `${cores} cores of it`,
    memoryMb === undefined ? [] : `${Math.round(memoryMb)} MB of it`,
    upLinkBps === undefined ? [] : `${upLinkBps / 1e6} Mbit/s`,
  ].flat();
  const model = host.cpuModel === '' ? [] : [host.cpuModel];
  return [`${host.cores} cores`, ...model, ...limits].join(', ');
}
