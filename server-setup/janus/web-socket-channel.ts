import { WebSocket } from 'ws';
import { hangUp, type Opening, openSocket } from '../sockets/open-socket.js';
import { listenWithBounds } from '../sockets/socket-bounds.js';
import type { Channel, ChannelListener } from './channel.js';

/** Frames over one WebSocket. Janus ends the sessions of a WebSocket with it, so that it is never opened again. */
export async function openWebSocketChannel(
  opening: Opening,
  listener: ChannelListener,
  signal: AbortSignal,
): Promise<Channel> {
  const socket = await openSocket(opening, signal);
  let closed: Promise<void> | undefined;
  listenWithBounds(socket, {
    onText: (text) => listener.onText(text),
    onEnd: (how) => {
      if (closed === undefined) listener.onLost(how);
    },
  });
  socket.resume();
  return {
    send: (frame) => {
      // While it closes, how it closed is still to come.
      if (socket.readyState !== WebSocket.OPEN) return undefined;
      const text = JSON.stringify(frame);
      socket.send(text);
      return text;
    },
    close: () => {
      closed ??= hangUp(socket);
      return closed;
    },
  };
}
