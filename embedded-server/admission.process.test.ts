import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from '@playwright/test';
import { WebSocket } from 'ws';
import { type EmbeddedServerOptions, startEmbeddedServer } from './server.js';

type Headers = Readonly<Record<string, string>>;

/** The status of a GET of the resources, and of a WebSocket (101 when it opens). */
async function statusesOf(port: number, headers: Headers, query = ''): Promise<readonly (number | undefined)[]> {
  const get = new Promise<number | undefined>((resolve, reject) => {
    const path = `/loadline/resources${query}`;
    request({ host: '127.0.0.1', port, path, headers }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end();
  });
  const open = new Promise<number | undefined>((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/kurento${query}`, { headers });
    socket.once('open', () => resolve(101)).once('error', () => undefined);
    socket.once('unexpected-response', (_, response) => resolve(response.statusCode));
    socket.once('open', () => socket.terminate());
  });
  return Promise.all([get, open]);
}

async function served(options: Partial<EmbeddedServerOptions>, work: (port: number) => Promise<void>): Promise<void> {
  const server = await startEmbeddedServer({ port: 0, ...options });
  try {
    await work(server.port);
  } finally {
    await server.close();
  }
}

test('a name that was made to lead here (DNS rebinding) is refused, addresses and localhost are not', () =>
  served({}, async (port) => {
    const rebound = { host: `evil.example:${port}` };
    expect(await statusesOf(port, rebound)).toEqual([403, 403]);
    expect(await statusesOf(port, { ...rebound, origin: `http://evil.example:${port}` })).toEqual([403, 403]);
    expect(await statusesOf(port, { host: `127.0.0.1:${port}`, origin: 'http://evil.example' })).toEqual([403, 403]);
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]) {
      expect(await statusesOf(port, { host })).toEqual([200, 101]);
    }
  }));

test('who is gone before being refused does not end the server', () =>
  served({ token: 'a-token-of-this-run' }, async (port) => {
    const words = ['GET /kurento HTTP/1.1', `Host: 127.0.0.1:${port}`, 'Connection: Upgrade', 'Upgrade: websocket'];
    for (let nth = 0; nth < 30; nth += 1) {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(`${words.join('\r\n')}\r\n\r\n`);
      socket.resetAndDestroy();
    }
    expect(await statusesOf(port, {})).toEqual([401, 401]);
  }));

test('a server with a token serves nobody without it, and takes it as a header or in the address', () =>
  served({ token: 'a-token-of-this-run' }, async (port) => {
    expect(await statusesOf(port, {})).toEqual([401, 401]);
    expect(await statusesOf(port, { authorization: 'Bearer another-token-of-it' })).toEqual([401, 401]);
    expect(await statusesOf(port, {}, '?token=a-token')).toEqual([401, 401]);
    expect(await statusesOf(port, { authorization: 'Bearer a-token-of-this-run' })).toEqual([200, 101]);
    const behindName = { host: 'media.example' };
    expect((await statusesOf(port, behindName, '?token=a-token-of-this-run'))[1]).toBe(101);
  }));

test('each page but the server’s own is foreign, whatever origin a browser names for it; a program names none', () =>
  served({}, async (port) => {
    const host = `127.0.0.1:${port}`;
    const foreign = ['null', 'file://', `http://localhost:${port}`, 'http://localhost:5173', `https://${host}`, ''];
    for (const origin of foreign) expect(await statusesOf(port, { host, origin }), origin).toEqual([403, 403]);
    for (const headers of [{ host, origin: `http://${host}` }, { host }]) {
      expect(await statusesOf(port, headers)).toEqual([200, 101]);
    }
  }));
