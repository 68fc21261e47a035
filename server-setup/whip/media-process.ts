import { readCandidateLine } from '../../model/ice-candidate.js';
import { isThisHost } from '../evidence/host-address.js';
import { findReceiver } from '../evidence/process-resources.js';

/** The process of this host that holds a media port of an answer; undefined where none is seen. */
export async function mediaProcess(answer: string) {
  const lines = answer.split(/\r?\n/).filter((line) => line.startsWith('a=candidate:'));
  const hosts = lines.flatMap((line) => readCandidateLine(line) ?? []);
  for (const { transport, type, address, port } of hosts) {
    if (transport !== 'udp' || type !== 'host' || !(await isThisHost(address))) continue;
    const found = await findReceiver(port);
    if (found) return { ...found, port };
  }
  return undefined;
}
