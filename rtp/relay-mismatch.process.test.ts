import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { classes, Message, parseMessage, RTCIceGatherer } from 'werift';
import { IceGuard } from './ice-guard.js';
import { openRelay, RelayRefused } from './relay.js';

/** Says these error codes, one to each port that asks, and the last one to all others. */
async function asked(codes: readonly number[]): Promise<{ readonly ports: number; readonly error: unknown }> {
  const server = createSocket('udp4');
  const ports: number[] = [];
  server.on('message', (datagram, { port, address }) => {
    if (!ports.includes(port)) ports.push(port);
    const request = parseMessage(datagram);
    if (!request) return;
    const code = codes[Math.min(ports.indexOf(port), codes.length - 1)];
    const answer = new Message(request.messageMethod, classes.ERROR, request.transactionId);
    server.send(answer.setAttribute('ERROR-CODE', [code, 'no']).bytes, port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const access = {
    url: `turn:127.0.0.1:${port}?transport=udp`,
    protocol: 'udp',
    username: 'u',
    credential: 'c',
  } as const;
  const { connection } = new RTCIceGatherer({ useIpv4: false, useIpv6: false });
  const error: unknown = await openRelay(connection, {
    access,
    guard: new IceGuard(connection),
    onMedia: () => {},
  }).catch((refused: unknown) => refused);
  await connection.close();
  server.close();
  expect(error).toBeInstanceOf(RelayRefused);
  return { ports: ports.length, error };
}

test('a port that a TURN server still knows for another allocation is given up for another one', async () => {
  const { ports, error } = await asked([437, 486]);
  expect(ports).toBe(2);
  expect(String(error)).toContain('the TURN server said 486 no');
});

test('three ports are tried, and what is wrong with the last one is the reason', async () => {
  const { ports, error } = await asked([437]);
  expect(ports).toBe(3);
  expect(String(error)).toContain('the TURN server said 437 no');
});
