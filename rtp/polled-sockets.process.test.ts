import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { foreignCalls } from '../host/foreign-calls.js';
import { boundSocket, polledSockets } from '../tests/polled.js';
import { datagramsMost } from './socket-calls.js';

test.afterEach(() => {
  expect(foreignCalls()?.areWhole() ?? true).toBe(true);
});

test('what waits at many sockets is read at once, whole, in order, with its sender and the time at which it came', async () => {
  const polled = polledSockets();
  const [sender, other] = [await boundSocket(), await boundSocket()];
  const sockets = await Promise.all(Array.from({ length: 20 }, () => boundSocket()));
  const heard = sockets.map(() => [] as { text: string; port: number; address: string; atMs: number }[]);
  sockets.forEach((socket, nth) => {
    const send = polled.take(socket, (datagram, port, address, atMs) =>
      heard[nth]?.push({ text: datagram.toString(), port, address, atMs }),
    );
    expect(send).toBeDefined();
  });
  expect(polled.count).toBe(20);
  const beforeMs = performance.now();
  // More than one call takes of a socket, and from two senders.
  const texts = Array.from({ length: datagramsMost + 3 }, (_, nth) => `${nth}`.repeat(1 + nth * 30));
  for (const socket of sockets)
    for (const [nth, text] of texts.entries())
      (nth % 2 === 0 ? sender : other).send(text, socket.address().port, '127.0.0.1');
  await sleep(100);
  const sentMs = performance.now();
  await sleep(100);
  expect(heard.flat()).toEqual([]);
  polled.read();
  const ports = [sender.address().port, other.address().port];
  for (const one of heard) {
    expect(one.map(({ text }) => text).sort()).toEqual([...texts].sort());
    expect(one.filter(({ text }) => texts.indexOf(text) % 2 === 0).every(({ port }) => port === ports[0])).toBe(true);
    expect(new Set(one.map(({ address }) => address))).toEqual(new Set(['127.0.0.1']));
    expect(one.filter(({ atMs }) => atMs < beforeMs - 2 || atMs > sentMs + 2)).toEqual([]);
  }
  for (const socket of [sender, other, ...sockets]) socket.close();
});

test('what is sent leaves at once, and nothing is sent or read of a socket that is closed', async () => {
  const polled = polledSockets();
  const [own, peer] = [await boundSocket(), await boundSocket()];
  const send = polled.take(own, () => undefined);
  const datagram = Buffer.from('first');
  const came = once(peer, 'message');
  send?.(datagram, peer.address().port, '127.0.0.1');
  // Its memory is free again.
  datagram.fill('x');
  const [message, from] = await came;
  expect([String(message), from.port]).toEqual(['first', own.address().port]);
  const late: string[] = [];
  peer.on('message', (text) => late.push(String(text)));
  own.close();
  // Its number is free from here on, though Node tells of it later only.
  send?.(Buffer.from('early'), peer.address().port, '127.0.0.1');
  await once(own, 'close');
  expect(polled.count).toBe(0);
  send?.(Buffer.from('late'), peer.address().port, '127.0.0.1');
  polled.read();
  await sleep(50);
  expect(late).toEqual([]);
  peer.close();
});

test('a socket of IPv6 is left to Node', async () => {
  const polled = polledSockets();
  const socket = await boundSocket('udp6', '::1');
  expect(polled.take(socket, () => undefined)).toBeUndefined();
  expect(polled.count).toBe(0);
  socket.close();
});
