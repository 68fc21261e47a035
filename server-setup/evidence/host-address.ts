import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isLoopback } from '../../host/addresses.js';

/** True when `host` (a name, or a bare address) is this machine: loopback, or an address of an interface. */
export async function isThisHost(host: string): Promise<boolean> {
  const found = isIP(host) === 0 ? await lookup(host, { all: true }).catch(() => []) : [{ address: host }];
  const own = new Set(Object.values(networkInterfaces()).flatMap((entries) => (entries ?? []).map((e) => e.address)));
  return found.some(({ address }) => isLoopback(address) || own.has(address));
}
