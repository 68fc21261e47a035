import { createServer as createWebServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { openWebSocketChannel } from '../../server-setup/janus/connect.js';
import { JanusCalls, videoRoomPlugin } from '../../server-setup/janus/janus-calls.js';
import { JanusLink } from '../../server-setup/janus/janus-link.js';
import { aJanus, anAdminApi, type JanusSecrets } from '../../server-setup/janus/janus-options.js';
import { parseJanusUrl } from '../../server-setup/janus/janus-url.js';
import { type ListedRoom, roomsOf } from '../../server-setup/janus/rooms.js';
import type { RealJanus } from '../real-janus.js';

const { signal } = new AbortController();

/** Somebody else, who changes every room so that it takes nobody more who publishes. */
export function fillRooms(janus: RealJanus, secrets: JanusSecrets): Promise<void> {
  return asStranger(janus, secrets, async (calls, rooms) => {
    for (const { room, listedBy } of rooms) await calls.message(listedBy, { request: 'edit', room, new_publishers: 0 });
  });
}

/** Rooms and sessions that a Janus holds. */
export async function heldBy(janus: RealJanus, secrets: JanusSecrets): Promise<{ rooms: number; sessions: number }> {
  const sessions = await sessionsOn(janus, secrets);
  return asStranger(janus, secrets, async (_, rooms) => ({ rooms: rooms.length, sessions }));
}

async function asStranger<Result>(
  { url }: RealJanus,
  secrets: JanusSecrets,
  work: (calls: JanusCalls, rooms: readonly ListedRoom[]) => Promise<Result>,
): Promise<Result> {
  const calls = new JanusCalls(await linkTo(parseJanusUrl(url).url, aJanus), secrets.api);
  try {
    const session = await calls.createSession(() => undefined);
    const handle = await calls.attach(session, videoRoomPlugin);
    const result = await work(calls, await roomsOf(calls, [handle]));
    await calls.endSession(session);
    return result;
  } finally {
    await calls.close();
  }
}

async function sessionsOn({ adminUrl }: RealJanus, { admin }: JanusSecrets): Promise<number> {
  const link = await linkTo(adminUrl, anAdminApi);
  try {
    const { sessions = [] } = await link.request({
      what: 'list_sessions',
      frame: { janus: 'list_sessions', admin_secret: admin },
    });
    return sessions.length;
  } finally {
    await link.close();
  }
}

function linkTo(url: string, expected: typeof aJanus): Promise<JanusLink> {
  const timeoutMs = 4000;
  const silent = { onLost: () => undefined, onStray: () => undefined };
  const open: Parameters<typeof JanusLink.open>[0]['open'] = (listener, aborted) =>
    openWebSocketChannel({ address: { url }, timeoutMs, expected }, listener, aborted);
  return JanusLink.open({ where: url, timeoutMs, open }, silent, signal);
}

/** A way to a server that can be cut, as by a server that closes its connections. */
export async function wayTo(url: string): Promise<{ url: string; cutOnce(): Promise<void>; close(): Promise<void> }> {
  const { port } = new URL(url);
  const ends: Socket[] = [];
  const way = await listening(
    createServer((near) => {
      const far = connect(Number(port), '127.0.0.1');
      for (const end of [near, far]) ends.push(end.on('error', () => undefined));
      near.pipe(far).pipe(near);
    }),
  );
  let cuts = 0;
  const cut = () => {
    for (const end of ends.splice(0)) end.destroy();
  };
  return {
    url: `janus://127.0.0.1:${way.port}`,
    cutOnce: async () => {
      cuts += 1;
      if (cuts === 1) cut();
    },
    close: () => {
      cut();
      return way.close();
    },
  };
}

/** Where a run is to find a Janus, and finds a web server that knows no page. */
export async function somethingElse(scheme: string): Promise<{ url: string; close(): Promise<void> }> {
  const web = await listening(createWebServer((_, response) => response.writeHead(404).end('no such page')));
  return { url: `${scheme}://127.0.0.1:${web.port}`, close: web.close };
}

async function listening(server: Server): Promise<{ readonly port: number; close(): Promise<void> }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { port, close: () => new Promise((resolve) => server.close(() => resolve())) };
}
