import { given } from './given.js';
import type { ServerFacts } from './run.js';

/** What a server has of its host: cores, MB and bit/s, by its own settings or its control groups; absent: no bound. */
export function givenTo(server: Pick<ServerFacts, 'cpuLimitCores' | 'heldTo' | 'egressLimitBps'>) {
  const { cpuLimitCores, heldTo, egressLimitBps: upLinkBps } = server;
  return given({ cores: cpuLimitCores ?? heldTo?.cores, memoryMb: heldTo?.memoryMb, upLinkBps });
}
