import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { build } from 'esbuild';
import type { LoadlineError } from '../../model/errors.js';
import type { Session } from '../../model/scenario.js';
import { type ServerEvent, serverEventText } from '../../model/server-event.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { both, times } from '../../tests/effort.js';
import { TestClient } from '../../tests/embedded/test-client.js';
import { WeriftPeer } from '../../tests/embedded/werift-peer.js';
import { soon } from '../../tests/soon.js';
import type { MediaServer } from '../media-server.js';
import { EmbeddedProcess, steadyHeapFlags } from './embedded-process.js';

const { signal } = new AbortController();
const call = oneToOne.sessions(1)[0] as Session;

/** `loadline serve` cut down to what its contract with the parent process is. */
const program = `
  import { startEmbeddedServer } from '../../embedded-server/server.js';
  const flag = process.argv.indexOf('--egress-limit');
  const egressLimitBps = flag < 0 ? undefined : Number.parseInt(process.argv[flag + 1]);
  // Guarded where a test asks for it by this flag; the others have clients of their own.
  const token = process.argv.includes('--follow-estimates') ? process.env.LOADLINE_SERVE_TOKEN : undefined;
  const server = await startEmbeddedServer({ port: 0, egressLimitBps, token });
  const end = async () => { await server.close(); process.exit(0); };
  process.on('SIGTERM', end);
  process.stdin.on('end', end).resume();
  console.log('listening ' + server.url);
`;

let folder = '';
let command: readonly string[] = [];
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loadline-serve-'));
  // So that the bundle finds the packages.
  await symlink(join(import.meta.dirname, '..', '..', 'node_modules'), join(folder, 'node_modules'));
  const outfile = join(folder, 'serve.mjs');
  const stdin = { contents: program, resolveDir: import.meta.dirname, loader: 'ts' } as const;
  await build({ stdin, outfile, bundle: true, packages: 'external', platform: 'node', format: 'esm' });
  command = [process.execPath, ...steadyHeapFlags, outfile];
});
test.afterAll(() => rm(folder, { recursive: true, force: true }));

const servers: MediaServer[] = [];
test.afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

function serverOf(options: ConstructorParameters<typeof EmbeddedProcess>[0]): {
  server: MediaServer;
  events: ServerEvent[];
} {
  const server = new EmbeddedProcess(options);
  const events: ServerEvent[] = [];
  server.onEvent((event) => events.push(event));
  servers.push(server);
  return { server, events };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('it says that it is the embedded server, its process and its limit, and ends with stop', async () => {
  const { server, events } = serverOf({ command, egressLimitBps: 3_000_000 });
  const facts = await server.start(signal);
  expect(facts).toMatchObject({ kind: 'embedded', sameHost: true, egressLimitBps: 3_000_000 });
  const pid = facts.pid ?? 0;
  expect(isAlive(pid)).toBe(true);
  await server.stop();
  expect(isAlive(pid)).toBe(false);
  expect(events).toEqual([]);
});

test('the server of a run serves its run alone: others lack the token, which is in no list of processes', async () => {
  const { server } = serverOf({ command, followEstimates: true });
  const { url, pid } = await server.start(signal);
  expect((await server.resources?.())?.atMs).toBeGreaterThan(0);
  await expect(TestClient.open(url)).rejects.toThrow('401');
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  expect(commandLine).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}/);
});

/** A call with media outside of the adapter, left behind as a client does that dies: the reset finds it an orphan. */
async function leaveCallBehind(url: string): Promise<void> {
  const client = await TestClient.open(url);
  const pipeline = await client.create('MediaPipeline');
  const [source, sink] = [
    await client.create('WebRtcEndpoint', { mediaPipeline: pipeline }),
    await client.create('WebRtcEndpoint', { mediaPipeline: pipeline }),
  ];
  await client.invoke(source, 'connect', { sink });
  const sender = await WeriftPeer.join(client, source, 'sendonly');
  const viewer = await WeriftPeer.join(client, sink, 'recvonly');
  for (let packet = 0; packet < 200; packet += 1) sender.send(1000);
  await soon(() => viewer.received.length).toBeGreaterThan(0);
  await Promise.all([sender.close(), viewer.close()]);
  client.socket.terminate();
}

const resets = times(2, 20);
/** After so many, memory has settled; after one only so far. */
const settled = times(1, 5);
const mostGrowth = times(1.5, 1.1);
test(
  `${resets} resets after real calls each prove zero pipelines and a CPU at rest, and memory stays where number ${settled} left it`,
  both,
  async () => {
    test.setTimeout(240_000);
    const { server } = serverOf({ command });
    const { url } = await server.start(signal);
    const rssMb: number[] = [];
    for (let round = 0; round < resets; round += 1) {
      await Promise.all([server.openSession(call, signal), server.openSession(call, signal), leaveCallBehind(url)]);
      const proof = await server.reset(signal);
      expect(proof).toMatchObject({ how: 'listed', foreign: 0, released: 1 });
      expect(proof.idleCores).toBeLessThanOrEqual(0.1);
      rssMb.push(proof.rssMb ?? Number.NaN);
    }
    const [first = Number.NaN, last = Number.NaN] = [rssMb[settled - 1], rssMb.at(-1)];
    test.info().annotations.push({ type: 'memory', description: rssMb.map((mb) => Math.round(mb)).join(' ') });
    expect(last).toBeLessThanOrEqual(mostGrowth * first);
  },
);

test('resources are of the process, and egress counts from reading to reading', async () => {
  const { server } = serverOf({ command });
  await server.start(signal);
  const first = await server.resources?.();
  expect(first?.egressBytes).toBeUndefined();
  expect(first?.rssMb).toBeGreaterThan(10);
  expect(await server.resources?.()).toMatchObject({
    cpuCores: expect.any(Number),
    threads: expect.any(Number),
    openFiles: expect.any(Number),
    udpDrops: 0,
    sessions: 0,
    egressBytes: 0,
    egressDroppedPackets: 0,
  });
});

test('a server killed in mid-run is told once, by its signal, and open calls reject at once', async () => {
  const { server, events } = serverOf({ command });
  const { pid } = await server.start(signal);
  const session = await server.openSession(call, signal);
  process.kill(pid ?? 0, 'SIGKILL');
  await soon(() => events.map((event) => `${event.kind}: ${serverEventText(event)}`)).toEqual([
    'lost: the embedded media server ended by SIGKILL',
  ]);
  const startedAtMs = performance.now();
  const error = await session.close().then(
    () => undefined,
    (reason: LoadlineError) => reason.code,
  );
  expect(error).toBe('E_SERVER_LOST');
  expect(performance.now() - startedAtMs).toBeLessThan(500);
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(events).toHaveLength(1);
});

test('a process that ends at once is reported with what it wrote', async () => {
  const { server } = serverOf({
    command: [process.execPath, '-e', 'console.error("no port left"); process.exit(7)', '--'],
  });
  const error = await server.start(signal).catch((reason: LoadlineError) => reason);
  expect(error).toMatchObject({ code: 'E_SERVER_UNREACHABLE' });
  expect((error as LoadlineError).why).toBe('it exited with code 7; it wrote: no port left');
});

test('a program that does not exist is reported', async () => {
  const { server } = serverOf({ command: [join(folder, 'none')] });
  const error = await server.start(signal).catch((reason: LoadlineError) => reason);
  expect((error as LoadlineError).why).toContain('ENOENT');
});

test('a process that never listens is ended after its bound', async () => {
  const { server } = serverOf({
    command: [process.execPath, '-e', 'setInterval(() => {}, 1000)', '--'],
    startWithinMs: 300,
  });
  const error = await server.start(signal).catch((reason: LoadlineError) => reason);
  expect((error as LoadlineError).why).toContain('did not say that it listens in 0.3 s');
});
