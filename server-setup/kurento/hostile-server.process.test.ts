import { EventEmitter } from 'node:events';
import { expect, test } from '@playwright/test';
import type { LoadlineError } from '../../model/errors.js';
import type { Session } from '../../model/scenario.js';
import type { ServerEvent } from '../../model/server-event.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { type Script, type ScriptedKurento, scriptedKurento } from '../../tests/scripted-kurento.js';
import { soon } from '../../tests/soon.js';
import type { MediaServer } from '../media-server.js';
import { type BoundedSocket, listenWithBounds } from '../sockets/socket-bounds.js';
import { KurentoServer } from './kurento-server.js';

const { signal } = new AbortController();
const call = oneToOne.sessions(1)[0] as Session;

interface Setup {
  readonly scripted: ScriptedKurento;
  readonly server: MediaServer;
  readonly events: ServerEvent[];
}

async function met(script: Script | undefined, scene: (setup: Setup) => Promise<void>): Promise<void> {
  const scripted = await scriptedKurento(script);
  // Long enough for 10 MB to come on a busy machine: none of these waits for it.
  const server = new KurentoServer({ url: scripted.url, requestTimeoutMs: 5000 });
  const events: ServerEvent[] = [];
  server.onEvent((event) => events.push(event));
  try {
    await server.start(signal);
    await scene({ scripted, server, events });
  } finally {
    await server.stop();
    await scripted.close();
  }
}

const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: LoadlineError) => error,
  );
const isLost = ({ kind }: ServerEvent) => kind === 'lost';

test('an answer of 10 MB is not read: the connection ends, with what was wrong, and the next one is tried', () =>
  met(
    ({ params }) => (params.type === 'MediaPipeline' ? { value: 'x'.repeat(10_000_000) } : undefined),
    async ({ server, events }) => {
      const error = await failure(server.openSession(call, signal));
      expect(error).toMatchObject({ code: 'E_SERVER_LOST', why: expect.stringContaining('more than 4 MiB') });
      expect(events.find(isLost)).toMatchObject({ detail: expect.stringContaining('4 MiB') });
      expect(events).toContainEqual(
        expect.objectContaining({ kind: 'excess', detail: 'a message of more than 4 MiB' }),
      );
      await soon(() => events.map(({ kind }) => kind)).toContain('reconnected');
    },
  ));

test('JSON that is nested by the hundred thousand is told as too much, and no end of this process', () =>
  met(undefined, async ({ scripted, server, events }) => {
    scripted.sendText(`{"jsonrpc":"2.0","id":1,"result":${'['.repeat(200_000)}${']'.repeat(200_000)}}`);
    await soon(() => events).toMatchObject([{ kind: 'excess', detail: 'JSON nested deeper than 64' }]);
    expect(await server.resources?.()).toMatchObject({ cpuCores: 0.04 });
  }));

test('a refusal in control characters reaches nobody as such', () =>
  met(
    ({ params }) =>
      params.type === 'MediaPipeline' ? { error: { code: 1, message: '\u001b[2J\u0007no' } } : undefined,
    async ({ server }) => {
      const error = await failure(server.openSession(call, signal));
      expect(error).toMatchObject({ code: 'E_SERVER_REFUSED', message: expect.stringContaining('\ufffd[2J\ufffdno') });
    },
  ));

test('more messages in a second than thousands of joining endpoints would send end the connection, and no more are read', () => {
  const socket = Object.assign(new EventEmitter(), { terminate: () => socket.emit('close', 1006, Buffer.alloc(0)) });
  let [nowMs, read] = [0, 0];
  const ends: string[] = [];
  const handlers = { onText: () => (read += 1), onEnd: (how: string) => ends.push(how) };
  listenWithBounds(socket as unknown as BoundedSocket, handlers, () => nowMs);
  const send = (count: number) => {
    for (let nth = 0; nth < count; nth += 1) socket.emit('message', Buffer.from('{}'), false);
  };
  for (; nowMs < 5000; nowMs += 1000) send(20_000);
  expect([read, ends]).toEqual([100_000, []]);
  send(30_000);
  expect(read).toBe(120_000);
  expect(ends).toEqual(['ended from here: it sent more than 20000 messages in a second']);
});
