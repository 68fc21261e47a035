import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { expect, test } from '@playwright/test';
import { WebSocketServer } from 'ws';
import type { LoadlineError } from '../../model/errors.js';
import { long } from '../../tests/effort.js';
import { scriptedKurento } from '../../tests/scripted-kurento.js';
import { KurentoServer } from './kurento-server.js';
import { parseServerUrl } from './server-url.js';

const { signal } = new AbortController();
const boundMs = 5000;

const closers: (() => void)[] = [];
test.afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function failureOf(url: string, connectTimeoutMs?: number): Promise<LoadlineError> {
  const server = new KurentoServer({ url, ...(connectTimeoutMs === undefined ? {} : { connectTimeoutMs }) });
  const startedAtMs = performance.now();
  const error = await server.start(signal).then(
    () => undefined,
    (reason: LoadlineError) => reason,
  );
  expect(performance.now() - startedAtMs).toBeLessThan(boundMs);
  if (error === undefined) throw new Error('start should have been rejected');
  return error;
}

async function webSocketServer(onText: (text: string) => string | undefined): Promise<string> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  closers.push(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  server.on('connection', (client) =>
    client.on('message', (data) => {
      const answer = onText(String(data));
      if (answer !== undefined) client.send(answer);
    }),
  );
  await new Promise((resolve) => server.once('listening', resolve));
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/kurento`;
}

test('a port where nobody listens is unreachable', async () => {
  const taken = await scriptedKurento();
  await taken.close();
  const error = await failureOf(taken.url);
  expect(error.code).toBe('E_SERVER_UNREACHABLE');
  expect(error.why).toContain('ECONNREFUSED');
});

test('an HTTP server is no media server', async () => {
  const http = createServer((_request, response) => response.writeHead(404).end()).listen(0, '127.0.0.1');
  closers.push(() => http.close());
  await new Promise((resolve) => http.once('listening', resolve));
  const error = await failureOf(`kurento://127.0.0.1:${(http.address() as AddressInfo).port}`);
  expect(error.code).toBe('E_SERVER_PROTOCOL');
  expect(error.why).toContain('HTTP 404');
});

async function silentPort(): Promise<number> {
  const sockets: { destroy(): void }[] = [];
  const tcp = createTcpServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    tcp.close();
  });
  await new Promise((resolve) => tcp.once('listening', resolve));
  return (tcp.address() as AddressInfo).port;
}

for (const [bound, withinMs, effort] of [
  ['a bound that is given', 300, {}],
  ['the default bound, which is below five seconds', undefined, long],
] as const) {
  test(`TCP that accepts and stays silent is no media server, by ${bound}`, effort, async () => {
    const error = await failureOf(`kurento://127.0.0.1:${await silentPort()}`, withinMs);
    expect(error.code).toBe('E_SERVER_PROTOCOL');
    expect(error.why).toContain('said nothing');
  });
}

test('a WebSocket that echoes is no media server', async () => {
  const error = await failureOf(await webSocketServer((text) => text));
  expect(error.code).toBe('E_SERVER_PROTOCOL');
  expect(error.why).toContain('"method":"');
});

test('a WebSocket that stays silent is no media server', async () => {
  const error = await failureOf(await webSocketServer(() => undefined), 300);
  expect(error.code).toBe('E_SERVER_PROTOCOL');
  expect(error.why).toContain('said nothing');
});

test('a JSON-RPC server of another kind is no media server', async () => {
  const url = await webSocketServer((text) => {
    const { id } = JSON.parse(text) as { id: number };
    return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found.' } });
  });
  const error = await failureOf(url);
  expect(error.code).toBe('E_SERVER_PROTOCOL');
  expect(error.why).toContain('Method not found.');
});

test('a wrong path is named with the words that the server closes with', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  closers.push(() => server.close());
  server.on('connection', (client) => client.close(1002, 'Invalid path'));
  await new Promise((resolve) => server.once('listening', resolve));
  const error = await failureOf(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/wrong`);
  expect(error.code).toBe('E_SERVER_PROTOCOL');
  expect(error.why).toContain('closed with 1002 Invalid path');
});

test('a start that is aborted rejects with the reason and closes the connection', async () => {
  const url = await webSocketServer(() => undefined);
  const aborting = new AbortController();
  setTimeout(() => aborting.abort(new Error('interrupted')), 50);
  await expect(new KurentoServer({ url }).start(aborting.signal)).rejects.toThrow('interrupted');
});

test('after stop nothing keeps the program running, and nothing was printed', async () => {
  const scripted = await scriptedKurento((request) => (request.params.type === 'Error' ? 'hang-up' : undefined));
  closers.push(() => void scripted.close());
  // In a process of its own, because that is what must end by itself and stay silent.
  const program = `
    import { KurentoServer } from './kurento-server.js';
    const server = new KurentoServer({ url: ${JSON.stringify(scripted.url)} });
    const signal = new AbortController().signal;
    await server.start(signal);
    const session = { id: '1', shape: 'forward', participants: [] };
    await server.openSession(session, signal).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 500));
    await server.stop();
  `;
  const { output, tookMs, code } = await runBundled(program);
  expect(output).toBe('');
  expect(code).toBe(0);
  expect(tookMs).toBeLessThan(5000);
});

/** Bundles in memory, as the build does, and runs it in Node. */
async function runBundled(program: string): Promise<{ output: string; tookMs: number; code: number | null }> {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    write: false,
  });
  const startedAtMs = performance.now();
  const child = spawn('node', ['--input-type=module', '-e', outputFiles[0]?.text ?? ''], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: import.meta.dirname,
    timeout: 15_000,
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    output += String(chunk);
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { output, tookMs: performance.now() - startedAtMs, code };
}

for (const [text, webSocketUrl] of [
  ['kurento://media.example:8888', 'ws://media.example:8888/kurento'],
  ['kurento://media.example', 'ws://media.example:8888/kurento'],
  ['kurento://10.0.0.7:9000/other', 'ws://10.0.0.7:9000/other'],
  ['ws://127.0.0.1:80/kurento', 'ws://127.0.0.1:80/kurento'],
  ['wss://media.example/kurento', 'wss://media.example:443/kurento'],
  ['kurento://[::1]:8888', 'ws://[::1]:8888/kurento'],
] as const) {
  test(`the address ${text} means ${webSocketUrl}`, () => {
    expect(parseServerUrl(text).webSocketUrl).toBe(webSocketUrl);
  });
}

for (const text of [
  '',
  'media.example:8888',
  'http://media.example',
  'kurento://',
  'kurento://a:99999',
  'ws://a:0',
  'ws://u:p@a',
]) {
  test(`the address "${text}" is refused`, () => {
    expect(() => parseServerUrl(text)).toThrow(expect.objectContaining({ code: 'E_SERVER_URL' }));
  });
}
