import { once } from 'node:events';
import { expect, test } from '@playwright/test';
import { WebSocket } from 'ws';
import { both, times } from '../tests/effort.js';
import { TestClient } from '../tests/embedded/test-client.js';
import { soon } from '../tests/soon.js';
import { type EmbeddedServer, startEmbeddedServer } from './server.js';

let server: EmbeddedServer;
test.beforeAll(async () => {
  server = await startEmbeddedServer({ port: 0 });
});
test.afterAll(() => server.close());

test('a port that is taken is refused by name', async () => {
  await expect(startEmbeddedServer({ port: server.port })).rejects.toMatchObject({ code: 'E_PORT_IN_USE' });
});

test('a wrong path is accepted and closed with 1002, as a Kurento does', async () => {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/other`);
  const [code, reason] = await once(socket, 'close');
  expect([code, String(reason)]).toEqual([1002, 'Invalid path']);
});

test('a page of the web or of this machine may not connect, the own one may', async () => {
  const outcome = (origin: string): Promise<string> => {
    const socket = new WebSocket(server.url, { origin });
    return new Promise<string>((resolve) => {
      socket.once('open', () => resolve('open'));
      // The listener stays: ending a socket that was refused is an error, too.
      socket.on('error', () => resolve('refused'));
    }).finally(() => socket.terminate());
  };
  expect(await outcome('https://example.org')).toBe('refused');
  expect(await outcome('http://localhost:5173')).toBe('refused');
  expect(await outcome(`http://127.0.0.1:${server.port}`)).toBe('open');
});

test('frames that are no request get the error a Kurento gives them', async () => {
  const client = await TestClient.open(server.url);
  const invalid = { error: { code: -32600, message: 'Invalid JSON-RPC request.' }, id: null, jsonrpc: '2.0' };
  for (const frame of [{}, [{ jsonrpc: '2.0', id: 1, method: 'ping' }], { id: 1, params: {} }]) {
    expect(await client.exchange(frame)).toEqual(invalid);
  }
  expect(await client.exchange({ jsonrpc: '2.0', method: 'ping' })).toMatchObject({
    error: { code: -32000, data: { value: 'pong' } },
    id: null,
  });
  expect(await client.exchange({ jsonrpc: '2.0', id: 'text', method: 'ping' })).toMatchObject({
    id: 'text',
    result: { value: 'pong' },
  });
  expect(await client.exchange({ jsonrpc: '2.0', id: 3, method: 'ping', params: [] })).toMatchObject({
    error: { code: -32603 },
    id: 3,
  });
  client.close();
});

test('requests joined in one message are answered one by one', async () => {
  const client = await TestClient.open(server.url);
  const second = client.exchange({ jsonrpc: '2.0', id: 2, method: 'ping' });
  const replies: string[] = [];
  client.socket.on('message', (data) => replies.push(String(data)));
  await second;
  const third = { jsonrpc: '2.0', id: 3, method: 'ping', params: { text: 'braces and quotes }"{' } };
  client.socket.send(JSON.stringify(third) + JSON.stringify({ jsonrpc: '2.0', id: 4, method: 'ping' }));
  await soon(() => replies.length).toBe(3);
  expect(replies.slice(1).map((reply) => JSON.parse(reply).id)).toEqual([3, 4]);
  client.close();
});

test('a message that is too large ends the connection, not the server', async () => {
  const client = await TestClient.open(server.url);
  client.socket.send('x'.repeat(2_000_000));
  await once(client.socket, 'close');
  const other = await TestClient.open(server.url);
  expect(await other.call('ping', {})).toMatchObject({ value: 'pong' });
  other.close();
});

test('more connections than the limit are refused, and one that ends makes room', async () => {
  const small = await startEmbeddedServer({ port: 0, connectionsMax: 2 });
  const first = await TestClient.open(small.url);
  const second = await TestClient.open(small.url);
  await expect(TestClient.open(small.url)).rejects.toThrow('503');
  second.socket.terminate();
  await soon(() => TestClient.open(small.url).then((client) => client.call('ping', {}))).toMatchObject({
    value: 'pong',
  });
  first.close();
  await small.close();
});

test('closing a session releases what no other session holds', async () => {
  const owner = await TestClient.open(server.url);
  const other = await TestClient.open(server.url);
  const shared = await owner.create('MediaPipeline');
  const own = await owner.create('MediaPipeline');
  await other.call('describe', { object: shared });
  await owner.call('closeSession', {});
  await expect(other.call('describe', { object: own })).rejects.toThrow('40101');
  expect(await other.invoke(shared, 'getId')).toBe(shared);
  await other.call('closeSession', {});
  owner.close();
  other.close();
});

test('hundreds of endpoints leave no socket, no object and no memory behind', both, async () => {
  const client = await TestClient.open(server.url);
  const rssMb: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    for (let i = 0; i < times(15, 50); i += 1) {
      const pipeline = await client.create('MediaPipeline');
      const endpoint = await client.create('WebRtcEndpoint', { mediaPipeline: pipeline });
      await client.invoke(endpoint, 'gatherCandidates');
      await client.call('release', { object: pipeline });
    }
    rssMb.push((await resources()).rssMb);
  }
  expect(await resources()).toMatchObject({ pipelines: 0, endpoints: 0 });
  expect(process.getActiveResourcesInfo().filter((name) => name === 'UDPWRAP')).toEqual([]);
  expect((rssMb.at(-1) ?? 0) - (rssMb[1] ?? 0)).toBeLessThan(40);
  client.close();
});

async function resources(): Promise<{ rssMb: number; pipelines: number; endpoints: number }> {
  const response = await fetch(`http://127.0.0.1:${server.port}/loadline/resources`);
  return (await response.json()) as { rssMb: number; pipelines: number; endpoints: number };
}

test('close is idempotent, frees the port and ends connections', async () => {
  const first = await startEmbeddedServer({ port: 0 });
  const client = await TestClient.open(first.url);
  const pipeline = await client.create('MediaPipeline');
  const endpoint = await client.create('WebRtcEndpoint', { mediaPipeline: pipeline });
  await client.invoke(endpoint, 'gatherCandidates');
  await Promise.all([first.close(), first.close()]);
  const second = await startEmbeddedServer({ port: first.port });
  await second.close();
  expect(process.getActiveResourcesInfo().filter((name) => name === 'UDPWRAP')).toEqual([]);
});
