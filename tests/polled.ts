import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { test } from '@playwright/test';
import { foreignCalls } from '../host/foreign-calls.js';
import { PolledSockets } from '../rtp/polled-sockets.js';
import { type SocketCalls, socketCalls } from '../rtp/socket-calls.js';

export async function boundSocket(type: 'udp4' | 'udp6' = 'udp4', address = '127.0.0.1'): Promise<Socket> {
  const socket = createSocket(type);
  socket.bind(0, address);
  await once(socket, 'listening');
  return socket;
}

/**
 * Whoever cannot call functions in C has nothing to test here, and is skipped: Node reads his sockets, as it always
 * did.
 */
export function polledSockets(Made: new (calls: SocketCalls) => PolledSockets = PolledSockets): PolledSockets {
  const calls = foreignCalls();
  test.skip(calls === undefined, 'koffi is not installed, or not for this machine');
  if (!calls) throw new Error('skipped');
  return new Made(socketCalls(calls));
}
