import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { pid } from 'node:process';
import { expect, test } from '@playwright/test';
import { namedProcess } from './named-process.js';
import { findReceiver } from './process-resources.js';

test('a process is named by its number, by the port that it listens on, or by its program', async () => {
  expect(await namedProcess(String(pid))).toBe(pid);
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  expect(await namedProcess(`port:${(server.address() as AddressInfo).port}`)).toBe(pid);
  server.close();
  const name = `sleeper-${pid}`;
  const child = spawn('sleep', ['30'], { argv0: name });
  try {
    await once(child, 'spawn');
    await expect.poll(() => namedProcess(`name:${name}`).catch(() => 0)).toBe(child.pid);
    const twin = spawn('sleep', ['30'], { argv0: name });
    await once(twin, 'spawn');
    await expect
      .poll(() => namedProcess(`name:${name}`).catch((error: Error) => error.message))
      .toContain('2 processes');
    twin.kill();
  } finally {
    child.kill();
  }
});

test('a process that is not there is refused, with what to write', async () => {
  for (const said of ['4194999', 'port:1', 'name:no-such-program']) {
    await expect(namedProcess(said)).rejects.toMatchObject({ code: 'E_USAGE' });
  }
});

test('who holds a UDP port is found', async () => {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  expect(await findReceiver(socket.address().port)).toMatchObject({ pid });
  socket.close();
});
