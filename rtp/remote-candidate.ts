import { isIP } from 'node:net';
import { Candidate } from 'werift';
import { readCandidateLine } from '../model/ice-candidate.js';

/** A candidate line of the far end; undefined of what cannot be used: TCP, names, RTCP of its own. */
export function remoteCandidate(line: string): Candidate | undefined {
  const read = readCandidateLine(line);
  if (read?.transport !== 'udp' || read.component !== 1 || read.port === 0 || isIP(read.address) === 0)
    return undefined;
  const { foundation, component, transport, priority, address, port, type } = read;
  return new Candidate(foundation, component, transport, priority, address, port, type);
}
