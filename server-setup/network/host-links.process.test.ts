import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { execPath, pid } from 'node:process';
import { expect, test } from '@playwright/test';
import { isInstalled } from '../../tests/installed.js';
import { makeHostLinks } from './host-links.js';
import { mayChangeNetworks } from './means.js';
import { groupNames } from './names.js';
import { tryCommand } from './run-command.js';

const rights = mayChangeNetworks(readFileSync('/proc/self/status', 'utf8'));
const hasNsenter = isInstalled(['nsenter', 'ip']);

/** Says where it comes from, and ends when it is answered. */
const caller = (address: string, port: number) =>
  `require('node:net').connect({ host: '${address}', port: ${port} }).on('data', () => process.exit(0))`;

const made = () => readdirSync('/run/netns').filter((name) => name.startsWith(`loadline-${pid}-`));

test('hosts of one machine have interfaces of their own, all reach what listens at one address, and nothing is left of them', async () => {
  test.skip(!rights || !hasNsenter, 'needs root, ip and nsenter');
  const links = await makeHostLinks({ count: 2, pid, serverElsewhere: false });
  const seen: string[] = [];
  const server = createServer((socket) => {
    seen.push(socket.remoteAddress ?? '');
    socket.end('hello');
  });
  try {
    server.listen(0, links.address);
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    for (const nth of [0, 1]) {
      const { code, stderr } = await tryCommand([...links.inside(nth), execPath, '-e', caller(links.address, port)]);
      expect(code, stderr).toBe(0);
    }
    expect(seen).toEqual([0, 1].map((nth) => groupNames(pid, nth).probeAddress));
    const { stdout } = await tryCommand([...links.inside(1), 'cat', '/proc/sys/net/ipv4/ip_forward']);
    expect(stdout.trim(), 'it may impair networks behind its own').toBe('1');
    expect(made()).toEqual([0, 1].map((nth) => groupNames(pid, nth).namespace));
  } finally {
    server.close();
    await links.close();
  }
  expect(made()).toEqual([]);
  expect(readdirSync('/sys/class/net').filter((name) => name.startsWith(`ll${pid}`))).toEqual([]);
});
