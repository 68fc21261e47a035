import { Socket } from 'node:dgram';
import { foreignCalls } from '../host/foreign-calls.js';
import { once } from '../host/once.js';
import { directSender } from './polled-sockets.js';
import { socketCalls } from './socket-calls.js';
import type { SocketTaker } from './udp-hook.js';

/** Whoever puts something else in its place, as links that lose or hold up what is sent, is not passed by. */
const { send } = Socket.prototype;

const ownCalls = once(() => {
  const calls = foreignCalls();
  return calls && socketCalls(calls);
});

/** Node reads the server's sockets; sending goes past it, since a forwarder sends much more than it receives. */
export const sendingSockets: SocketTaker = {
  take: (socket) => {
    if (socket.send !== send) return undefined;
    const calls = ownCalls();
    return calls && directSender(calls, socket);
  },
};
