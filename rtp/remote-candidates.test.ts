import { expect, test } from '@playwright/test';
import type { Candidate } from 'werift';
import { soon } from '../tests/soon.js';
import { RemoteCandidates } from './remote-candidates.js';

function taking(...lines: readonly string[]) {
  const taken: Candidate[] = [];
  const remote = new RemoteCandidates((candidate) => taken.push(candidate));
  for (const line of lines) remote.add(line);
  return { taken, remote };
}

const tcp = 'candidate:1 1 tcp 1671430143 192.0.2.7 8189 typ host tcptype passive';
const udp = 'candidate:1 1 udp 2130706431 192.0.2.7 8189 typ host';

test('candidates of TCP, IPv6 and mDNS alone are out of the reach of native probes, each by its name', () => {
  expect(taking(tcp).remote.outOfReach).toBe('of TCP');
  expect(taking(udp.replace('192.0.2.7', '2001:db8::1'), tcp).remote.outOfReach).toBe('of IPv6, of TCP');
  expect(taking(udp.replace('192.0.2.7', 'a1.local')).remote.outOfReach).toBe('names of mDNS');
});

test('one that can be used is enough, and nothing is said before the first', () => {
  expect(taking().remote.outOfReach).toBeUndefined();
  const { taken, remote } = taking(tcp, udp);
  expect([remote.outOfReach, taken.map(({ host }) => host)]).toEqual([undefined, ['192.0.2.7']]);
});

test('a host name is resolved', async () => {
  const { taken, remote } = taking(udp.replace('192.0.2.7', 'localhost'));
  await soon(() => expect(taken.map(({ host, port }) => [host, port])).toEqual([['127.0.0.1', 8189]]));
  expect(remote.outOfReach).toBeUndefined();
});
