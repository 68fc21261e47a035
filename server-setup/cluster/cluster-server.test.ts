import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import type { ServerReading } from '../../model/evidence.js';
import type { ServerFacts } from '../../model/run.js';
import type { Session } from '../../model/scenario.js';
import type { ServerEvent } from '../../model/server-event.js';
import type { MediaServer } from '../media-server.js';
import { ServerEvents } from '../server-events.js';
import { ClusterServer } from './cluster-server.js';
import { placementOf } from './placement.js';

const facts: ServerFacts = {
  kind: 'toy',
  nature: 'product',
  name: 'toy 1',
  version: '1',
  url: 'toy:',
  sameHost: false,
  abilities: {
    shapes: ['forward'],
    severalStreams: true,
    records: false,
    tellsResources: true,
    reset: 'listed',
    turn: false,
    codecs: { forwards: ['VP8'], mixes: [], records: [] },
  },
};

interface Stub extends MediaServer {
  readonly events: ServerEvents;
  readonly done: string[];
}

/** A server that only notes what was asked of it. */
function aServer(changes: Partial<MediaServer> = {}): Stub {
  const events = new ServerEvents();
  const done: string[] = [];
  return {
    events,
    done,
    start: async () => facts,
    openSession: async ({ id }) => {
      done.push(`open ${id}`);
      return {
        join: async () => ({ answer: '', addCandidate: async () => undefined }),
        close: async () => void done.push(`close ${id}`),
      };
    },
    reset: async () => ({ how: 'listed', tookMs: 1, released: 1, rssMb: 10 }),
    stop: async () => void done.push('stop'),
    onEvent: (listener) => events.listen(listener),
    ...changes,
  };
}

const signal = new AbortController().signal;
const sessionOf = (id: string): Session => ({ id, shape: 'forward', participants: [] });

function aCluster(servers: readonly MediaServer[], weights: readonly number[] = []) {
  const members = servers.map((server, nth) => ({ name: 'ABC'[nth] ?? '', weight: weights[nth] ?? 1, server }));
  const cluster = new ClusterServer(
    members,
    () => placementOf('round-robin'),
    () => 5,
  );
  const told: ServerEvent[] = [];
  cluster.onEvent((event) => told.push(event));
  return { cluster, told };
}

test('a session is on one server, which is said, and its closing is that server’s alone', async () => {
  const servers = [aServer(), aServer()];
  const { cluster, told } = aCluster(servers);
  const opened = await Promise.all(['1', '2', '3'].map((id) => cluster.openSession(sessionOf(id), signal)));
  await opened[1]?.close();
  expect(servers.map(({ done }) => done)).toEqual([
    ['open 1', 'open 3'],
    ['open 2', 'close 2'],
  ]);
  expect(told.map((event) => (event.kind === 'placed' ? `${event.session} ${event.server}` : event.kind))).toEqual([
    '1 A',
    '2 B',
    '3 A',
  ]);
});

test('what a server says is told with its name, and clean is what each has shown to be', async () => {
  const [a, b] = [aServer(), aServer({ reset: async () => ({ how: 'idle', tookMs: 9, rssMb: 30 }) })];
  const { cluster, told } = aCluster([a, b]);
  a.events.tell({ kind: 'lost', atMs: 1, detail: 'gone' });
  expect(told).toEqual([{ kind: 'lost', atMs: 1, detail: 'A: gone' }]);
  expect(await cluster.reset(signal)).toEqual({ how: 'idle', tookMs: 9, released: 1, rssMb: 40 });
});

test('one that does not start fails the cluster when the others have come to their end, and all are stopped', async () => {
  let isUp = false;
  const slow = aServer({
    start: async () => {
      await turn();
      isUp = true;
      return facts;
    },
  });
  const broken = aServer({ start: () => Promise.reject(new Error('no such host')) });
  const { cluster } = aCluster([broken, slow]);
  await expect(cluster.start(signal)).rejects.toThrow('no such host');
  expect(isUp).toBe(true);
  await cluster.stop();
  expect([broken.done, slow.done]).toEqual([['stop'], ['stop']]);
});

test('one that cannot be read is told without values, and then there is no sum of all', async () => {
  const read = async (): Promise<ServerReading> => ({ atMs: 3, cpuCores: 0.5, rssMb: 20 });
  const { cluster } = aCluster([aServer({ resources: read }), aServer({ resources: read })]);
  expect(await cluster.resources?.()).toMatchObject({
    atMs: 5,
    cpuCores: 1,
    rssMb: 40,
    servers: [{ server: 'A', cpuCores: 0.5 }, { server: 'B' }],
  });
  const half = aCluster([
    aServer({ resources: read }),
    aServer({ resources: () => Promise.reject(new Error('lost')) }),
  ]);
  expect(await half.cluster.resources?.()).toEqual({
    atMs: 5,
    servers: [
      { server: 'A', atMs: 3, cpuCores: 0.5, rssMb: 20 },
      { server: 'B', atMs: 5 },
    ],
  });
});

test('by load, the next session goes to the server with most of its up-link free, and to none by what nobody read', async () => {
  const limits = [1e6, 4e6];
  const servers = limits.map((egressLimitBps) => {
    let atMs = 0;
    return aServer({
      start: async () => ({ ...facts, egressLimitBps }),
      resources: async () => {
        atMs += 1000;
        return { atMs, egressBytes: 62_500 };
      },
    });
  });
  const members = servers.map((server, nth) => ({ name: 'AB'[nth] ?? '', weight: 1, server }));
  const cluster = new ClusterServer(
    members,
    () => placementOf('least-loaded'),
    () => 0,
  );
  const placed: string[] = [];
  cluster.onEvent((event) => event.kind === 'placed' && placed.push(event.server));
  await cluster.start(signal);
  // Nothing was read yet: by sessions. Half of A's up-link is in use then, an eighth of B's.
  for (const id of ['1', '2']) await cluster.openSession(sessionOf(id), signal);
  for (const _ of [1, 2]) await cluster.resources?.();
  for (const id of ['3', '4', '5', '6']) await cluster.openSession(sessionOf(id), signal);
  expect(placed).toEqual(['A', 'B', 'B', 'B', 'B', 'A']);
});

test('a server that was silent once is not taken for twice as full when it tells the bytes of both seconds', async () => {
  const placed: string[] = [];
  const servers = [62_500, 50_000].map((bytes, nth) => {
    let read = 0;
    return aServer({
      start: async () => ({ ...facts, egressLimitBps: 1e6 }),
      resources: async () => {
        read += 1;
        const isSilent = nth === 1 && read === 2;
        const since = nth === 1 && read === 3 ? 2 : 1;
        return { atMs: read * 1000, ...(isSilent ? {} : { egressBytes: since * bytes }) };
      },
    });
  });
  const members = servers.map((server, nth) => ({ name: 'AB'[nth] ?? '', weight: 1, server }));
  const cluster = new ClusterServer(
    members,
    () => placementOf('least-loaded'),
    () => 0,
  );
  cluster.onEvent((event) => event.kind === 'placed' && placed.push(event.server));
  await cluster.start(signal);
  for (const id of ['1', '2']) await cluster.openSession(sessionOf(id), signal);
  for (const _ of [1, 2, 3]) await cluster.resources?.();
  await cluster.openSession(sessionOf('3'), signal);
  expect(placed).toEqual(['A', 'B', 'B']);
});

test('for warming up each server gets a session, however they are placed else', async () => {
  const servers = [aServer(), aServer(), aServer()];
  const members = servers.map((server, nth) => ({ name: 'ABC'[nth] ?? '', weight: nth === 0 ? 9 : 1, server }));
  const cluster = new ClusterServer(
    members,
    () => placementOf('weight'),
    () => 0,
  );
  const all = cluster.inTurn();
  for (let nth = 1; nth <= all; nth += 1) await cluster.openSession(sessionOf(String(nth)), signal);
  await cluster.reset(signal, { anew: false });
  await cluster.openSession(sessionOf('x'), signal);
  expect(servers.map(({ done }) => done.length)).toEqual([2, 1, 1]);
});
