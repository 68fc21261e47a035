import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { noMedia, type StreamMedia } from './stream-media.js';

export type Message = Readonly<Record<string, unknown>>;

export interface ClientOf {
  /** With its query. */
  readonly url: URL;
  readonly say: (message: Message) => void;
  readonly hangUp: () => void;
}

/** Asked before the usual answers; `undefined` leaves a message to them. */
export type StreamScript = (message: Message, client: ClientOf) => readonly Message[] | 'silence' | undefined;

export interface ServerOptions {
  readonly media?: StreamMedia;
  readonly script?: StreamScript;
}

/** What one connection is answered by. */
export interface ClientHandler {
  message(message: Message): Promise<void>;
  closed(): Promise<void>;
}

export interface ScriptedStreams {
  readonly port: number;
  readonly media: StreamMedia;
  /** All that clients said, in order of arrival, but what keeps a connection alive. */
  readonly heard: Message[];
  readonly urls: string[];
  close(): Promise<void>;
}

/**
 * A server of streams by name over WebSockets on loopback.
 *
 * @param takes whether a path is one of its own; others are answered 404
 */
export async function streamServer(
  { media = noMedia(), script = () => undefined }: ServerOptions,
  takes: (path: string) => boolean,
  handlerOf: (client: ClientOf, media: StreamMedia) => ClientHandler,
): Promise<ScriptedStreams> {
  const http = createServer((_, response) => response.writeHead(404).end());
  const sockets = new WebSocketServer({ noServer: true });
  const heard: Message[] = [];
  const urls: string[] = [];
  http.on('upgrade', (request, stream, head) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (!takes(url.pathname)) return void stream.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
    urls.push(`${url.pathname}${url.search}`);
    sockets.handleUpgrade(request, stream, head, (socket) => serve(socket, url));
  });
  function serve(socket: WebSocket, url: URL): void {
    const say = (message: Message) => socket.send(JSON.stringify(message));
    const client = { url, say, hangUp: () => socket.terminate() };
    const handler = handlerOf(client, media);
    // In order, as a server handles a connection.
    let last = Promise.resolve();
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as Message;
      if (message.command !== 'ping') heard.push(message);
      const said = script(message, client);
      if (said === 'silence') return;
      if (said) for (const one of said) say(one);
      else last = last.then(() => handler.message(message));
    });
    socket.on('close', () => {
      last = last.then(() => handler.closed());
    });
  }
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    port: (http.address() as AddressInfo).port,
    media,
    heard,
    urls,
    close: async () => {
      for (const socket of sockets.clients) socket.terminate();
      http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
    },
  };
}
