import { Candidate } from 'werift';

/** A candidate line of the server; `undefined` of what cannot be used: TCP, names, IPv6. */
export function readCandidate(line: string): Candidate | undefined {
  try {
    const candidate = Candidate.fromSdp(line.replace(/^(a=)?candidate:/, ''));
    const usable = candidate.transport.toLowerCase() === 'udp' && candidate.component === 1 && candidate.port > 0;
    return usable && /^[0-9.]+$/.test(candidate.host) ? candidate : undefined;
  } catch {
    return undefined;
  }
}
