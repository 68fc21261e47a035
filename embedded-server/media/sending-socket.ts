import { foreignCalls } from '../../host/foreign-calls.js';
import { directSender } from '../../host/polled-sockets.js';
import { type SocketCalls, socketCalls } from '../../host/socket-calls.js';
import type { SocketTaker } from './udp-hook.js';

const known: { calls?: SocketCalls | undefined; isLoaded: boolean } = { isLoaded: false };

/** The server's sockets are read by Node, so that what comes is forwarded at once, and sent from past it: who forwards sends much more than what comes. */
export const sendingSockets: SocketTaker = {
  take: (socket) => {
    if (!known.isLoaded) known.calls = load();
    known.isLoaded = true;
    return known.calls && directSender(known.calls, socket);
  },
};

function load(): SocketCalls | undefined {
  const calls = foreignCalls();
  return calls && socketCalls(calls);
}
