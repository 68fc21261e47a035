import { expect, test } from '@playwright/test';
import { type ScriptedKurento, scriptedKurento } from '../../tests/scripted-kurento.js';
import { soon } from '../../tests/soon.js';
import { openSocket } from '../sockets/open-socket.js';
import { aKurento } from './kurento-options.js';
import { KurentoSocket } from './kurento-socket.js';

const told: string[] = [];
const open: { readonly server: ScriptedKurento; readonly socket: KurentoSocket }[] = [];
test.beforeEach(() => told.splice(0));
test.afterEach(async () => {
  for (const { server, socket } of open.splice(0)) {
    await socket.close();
    await server.close();
  }
});

async function connected(server: ScriptedKurento, requestTimeoutMs = 2000): Promise<KurentoSocket> {
  const address = { url: server.url };
  const opened = await openSocket({ address, timeoutMs: 2000, expected: aKurento }, new AbortController().signal);
  const socket = new KurentoSocket(address, opened, requestTimeoutMs, {
    onText: () => undefined,
    onEvent: ({ type }) => told.push(`event ${type}`),
    onLost: () => told.push('lost'),
    onReconnected: (sameSession) => told.push(`reconnected ${sameSession}`),
    onUnreadable: (shown) => told.push(`unreadable ${shown}`),
    onExcess: (bound) => told.push(bound),
    onLateReply: (method, value) => told.push(`late ${method} ${value}`),
  });
  open.push({ server, socket });
  return socket;
}

test('the session that the first answer names is in every later request, and no id comes twice, not after a reconnect either', async () => {
  const server = await scriptedKurento();
  const socket = await connected(server);
  await socket.request('describe', { object: 'manager_ServerManager' });
  await socket.request('invoke', { object: 'manager_ServerManager', operation: 'getInfo' });
  server.hangUp();
  await soon(() => told).toEqual(['lost', 'reconnected true']);
  await socket.request('ping', {});
  const requests = server.requests.filter(({ id }) => typeof id === 'number');
  expect(requests.map(({ id }) => id)).toEqual([0, 1, 2]);
  expect(requests[0]?.params.sessionId).toBeUndefined();
  const sessions = requests.slice(1).map(({ params }) => params.sessionId);
  expect(sessions).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), sessions[0]]);
});

test('every request has one outcome: answered, refused, out of time, or lost with the connection or without one', async () => {
  const error = { code: 40_101, message: 'Object not found', type: 'MEDIA_OBJECT_NOT_FOUND' };
  const server = await scriptedKurento(({ params }) =>
    params.object === 'silent'
      ? 'silence'
      : params.object === 'gone'
        ? { error }
        : params.object === 'end'
          ? 'hang-up'
          : undefined,
  );
  const socket = await connected(server, 100);
  const kindOf = async (object: string) => (await socket.request('release', { object })).kind;
  expect(await Promise.all(['here', 'gone', 'silent'].map(kindOf))).toEqual(['answered', 'refused', 'timeout']);
  expect(await socket.request('release', { object: 'gone' })).toEqual({ kind: 'refused', error });
  expect(await socket.request('release', { object: 'end' })).toMatchObject({ kind: 'lost' });
  expect(await socket.request('ping', {})).toEqual({
    kind: 'lost',
    why: 'there is no connection to the media server',
  });
  await socket.close();
  expect(await socket.request('ping', {})).toEqual({ kind: 'lost', why: 'the connection is closed' });
});

test('an answer that comes after its time is told with what had been asked, and settles nothing twice', async () => {
  const server = await scriptedKurento(({ method }) => (method === 'create' ? 'silence' : undefined));
  const socket = await connected(server, 50);
  expect((await socket.request('create', { type: 'MediaPipeline' })).kind).toBe('timeout');
  server.send({ jsonrpc: '2.0', id: 0, result: { sessionId: 'one', value: 'late-pipeline' } });
  server.send({ jsonrpc: '2.0', id: 0, result: { sessionId: 'one', value: 'again' } });
  await soon(() => told).toEqual(['late create late-pipeline']);
});
