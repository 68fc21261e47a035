import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { expect, test } from '@playwright/test';
import { parseMessage } from 'werift';
import { soon } from '../tests/soon.js';
import { channelHeader, TurnMessages } from './turn-messages.js';
import { openTurnWay } from './turn-way.js';

const messageBytes = 60_000;
const messages = 500;
const [early, late] = [0x4000, 0x4001] as const;

/** The first that connects, which is not read until somebody asks. */
async function unread(server: Server): Promise<{ readonly port: number; readonly socket: Promise<Socket> }> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = once(server, 'connection').then(([first]: Socket[]) => first as Socket);
  return { port: (server.address() as AddressInfo).port, socket };
}

test('what comes while a stream to a TURN server is full is dropped, whole messages only, and what comes later goes', async () => {
  const server = createServer({ pauseOnConnect: true });
  const { port, socket } = await unread(server);
  const way = await openTurnWay({ url: `turn:127.0.0.1:${port}?transport=tcp`, protocol: 'tcp' });
  const payload = Buffer.alloc(messageBytes, 0x90);
  const put = (channel: number): void => way.put(channelHeader(channel, payload.length), payload);
  for (let nth = 0; nth < messages; nth += 1) put(early);
  const reading = new TurnMessages();
  const channels: number[] = [];
  const sizes = new Set<number>();
  const peer = await socket;
  peer.on('data', (piece: Buffer) => {
    for (const message of reading.push(piece)) {
      sizes.add(message.length);
      channels.push(message.readUInt16BE(0));
    }
  });
  peer.resume();
  await soon(
    () => {
      put(late);
      return channels.at(-1);
    },
    { timeout: 20_000 },
  ).toBe(late);
  expect([...sizes]).toEqual([messageBytes + 4]);
  const first = channels.filter((channel) => channel === early).length;
  expect(first).toBeGreaterThan(1);
  expect(first).toBeLessThan(messages);
  way.end();
  peer.destroy();
  server.close();
});

test('what a TURN server says that cannot be read has not come, and ends nothing', async () => {
  const server = createSocket('udp4');
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  const way = await openTurnWay({ url: `turn:127.0.0.1:${server.address().port}?transport=udp`, protocol: 'udp' });
  const read: Buffer[] = [];
  way.onData = (message) => {
    parseMessage(message);
    read.push(message);
  };
  // An address of no family, in what a peer without a channel would send.
  const odd = Buffer.from('0017000c2112a442000000000000000000000000001200080009000000000000', 'hex');
  expect(() => parseMessage(odd)).toThrow();
  for (const message of [odd, Buffer.from('40000000', 'hex')]) server.send(message, way.address.port, '127.0.0.1');
  await soon(() => read.length).toBe(1);
  way.end();
  server.close();
});
