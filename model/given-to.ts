import { given } from './given.js';
import type { ServerFacts } from './run.js';

/** What a server has of its host, by settings, control groups or CPUs: cores, MB, bit/s; absent: no bound. */
export function givenTo(server: Pick<ServerFacts, 'cpuLimitCores' | 'heldTo' | 'egressLimitBps'>) {
  const { cpuLimitCores, heldTo, egressLimitBps: upLinkBps } = server;
  const known = [cpuLimitCores, heldTo?.cores].flatMap((cores) => cores ?? []);
  const cores = known.length === 0 ? undefined : Math.min(...known);
  return given({ cores, memoryMb: heldTo?.memoryMb, upLinkBps });
}
