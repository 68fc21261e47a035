/**
 * What one receiver costs without a browser: CPU time and memory (RSS above that of none) of a process that plays viewers of one stream on the embedded
 * server, on werift as it comes and as native probes are, and what a packet must cost at the least: reading it from a socket, and its SRTP.
 * Usage: node dist/bench/native-cost.js [VIEWERS [SECONDS [KINDS]]], KINDS being werift, native or both. Rates are those of our video and sound together.
 */
import { spawn } from 'node:child_process';
import { createCipheriv, hash, randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { argv, cpuUsage, execPath, exit, memoryUsage } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startEmbeddedServer } from '../embedded-server/server.js';
import { NativeLink } from '../probes/native/native-link.js';
import { NativePeer } from '../probes/native/native-peer.js';
import { workerSurroundings } from '../probes/native/surroundings.js';
import { joinNative } from '../tests/embedded/join-native.js';
import { joinedSender } from '../tests/embedded/joined-sender.js';
import { TestClient } from '../tests/embedded/test-client.js';
import { WeriftPeer } from '../tests/embedded/werift-peer.js';

/** Of one received video and its sound (docs/encoded-probes.md). */
const video = { everyMs: 1000 / 60.5, bytes: 1000 };
const sound = { everyMs: 20, bytes: 100 };
const packetsPerSecond = 1000 / video.everyMs + 1000 / sound.everyMs;

interface Cost {
  readonly viewers: number;
  readonly coreShare: number;
  readonly packets: number;
  readonly rssMb: number;
}

const [mode = '10', ...rest] = argv.slice(2);
if (mode === 'serve') await serve();
else if (mode === 'werift' || mode === 'native') await view(mode, rest);
else await measureAll(Number(mode), Number(rest[0] ?? 10), (rest[1] ?? 'werift,native').split(','));

/** A server with one sender, in a process of its own; tells its address and the sender's endpoint. */
async function serve(): Promise<void> {
  const server = await startEmbeddedServer({ port: 0 });
  const client = await TestClient.open(server.url);
  const pipeline = await client.create('MediaPipeline');
  const { from, sender } = await joinedSender(client, pipeline);
  console.log(JSON.stringify({ url: server.url, pipeline, from }));
  const startedMs = performance.now();
  const sent = { video: 0, sound: 0 };
  for (;;) {
    const ageMs = performance.now() - startedMs;
    for (; sent.video * video.everyMs < ageMs; sent.video += 1) sender.send(video.bytes);
    for (; sent.sound * sound.everyMs < ageMs; sent.sound += 1) sender.send(sound.bytes);
    await sleep(5);
  }
}

async function view(
  kind: 'werift' | 'native',
  [url = '', pipeline = '', from = '', viewers = '1', seconds = '10']: string[],
) {
  await NativeLink.prepare();
  const client = await TestClient.open(url);
  const rssBefore = memoryUsage.rss();
  const packetsOf: (() => number)[] = [];
  for (let nth = 0; nth < Number(viewers); nth += 1) {
    const to = await client.create('WebRtcEndpoint', { mediaPipeline: pipeline });
    await client.invoke(from, 'connect', { sink: to });
    packetsOf.push(kind === 'werift' ? await weriftViewer(client, to) : await nativeViewer(client, to));
  }
  await sleep(1000);
  const packets = () => packetsOf.reduce((sum, count) => sum + count(), 0);
  const [before, cpuBefore, atMs] = [packets(), cpuUsage(), performance.now()];
  await sleep(Number(seconds) * 1000);
  const { user, system } = cpuUsage(cpuBefore);
  const cost: Cost = {
    viewers: Number(viewers),
    coreShare: (user + system) / 1000 / (performance.now() - atMs),
    packets: packets() - before,
    rssMb: (memoryUsage.rss() - rssBefore) / 2 ** 20,
  };
  console.log(JSON.stringify(cost));
  exit(0);
}

async function weriftViewer(client: TestClient, to: string): Promise<() => number> {
  const peer = await WeriftPeer.join(client, to, 'recvonly');
  return () => peer.received.length;
}

async function nativeViewer(client: TestClient, to: string): Promise<() => number> {
  const leg = { id: to, sends: [], receives: ['video'], from: { participant: 'p' } } as const;
  const peer = new NativePeer(
    leg,
    workerSurroundings({ addresses: ['127.0.0.1'], videoCodec: 'VP8' }),
    () => undefined,
  );
  await joinNative(peer, client, to);
  while (peer.state !== 'connected') await sleep(10);
  return () => Number([...peer.stats().values()].find(({ type }) => type === 'inbound-rtp')?.packetsReceived ?? 0);
}

async function measureAll(viewers: number, seconds: number, kinds: readonly string[]): Promise<void> {
  const self = fileURLToPath(import.meta.url);
  const server = spawn(execPath, [self, 'serve'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(server.stdout, 'data');
  const { url, pipeline, from } = JSON.parse(String(line)) as { url: string; pipeline: string; from: string };
  console.log(`${viewers} viewers, ${seconds} s, ${packetsPerSecond.toFixed(0)} packets/s each\n`);
  console.log('| | core per viewer | µs of CPU per packet | packets/s each | MiB each |\n|---|---|---|---|---|');
  try {
    for (const kind of kinds) {
      const child = spawn(execPath, [self, kind, url, pipeline, from, String(viewers), String(seconds)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [told] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(() => [undefined])]);
      if (told === undefined) throw new Error(`the process of ${kind} viewers ended`);
      const cost = JSON.parse(String(told)) as Cost;
      const perPacketUs = (cost.coreShare * seconds * 1e6) / cost.packets;
      console.log(
        `| ${kind} | ${(cost.coreShare / viewers).toFixed(4)} | ${perPacketUs.toFixed(1)} | ${(cost.packets / seconds / viewers).toFixed(1)} | ${(cost.rssMb / viewers).toFixed(2)} |`,
      );
    }
  } finally {
    server.kill('SIGKILL');
  }
  const floors = [
    ['reading it from a socket of Node', await readingUs()],
    ['HMAC-SHA1 of it, two hashes', hmacUs()],
    ['AES in counter mode of all of it', cipherUs(1000)],
    ['AES in counter mode of its first 32 bytes', cipherUs(32)],
  ] as const;
  for (const [what, us] of floors) {
    console.log(`| floor: ${what} | ${((us * packetsPerSecond) / 1e6).toFixed(4)} | ${us.toFixed(1)} | | |`);
  }
}

/** CPU time of this process for one datagram of 1000 bytes that is read, less that of sending it. */
async function readingUs(): Promise<number> {
  const count = 20_000;
  const [sender, receiver] = [createSocket('udp4'), createSocket({ type: 'udp4', recvBufferSize: 4_000_000 })];
  receiver.bind(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address();
  let received = 0;
  receiver.on('message', () => {
    received += 1;
  });
  const payload = randomBytes(1000);
  const send = async (to: number): Promise<number> => {
    const before = cpuUsage();
    for (let nth = 0; nth < count; nth += 1) {
      sender.send(payload, to, '127.0.0.1');
      if (nth % 10 === 9) await sleep(0);
    }
    await sleep(200);
    const { user, system } = cpuUsage(before);
    return user + system;
  };
  const idle = createSocket('udp4');
  idle.bind(0, '127.0.0.1');
  await once(idle, 'listening');
  const { port: closed } = idle.address();
  idle.close();
  await send(port);
  received = 0;
  const withReading = await send(port);
  sender.on('error', () => undefined);
  const without = await send(closed);
  const us = (withReading - without) / received;
  sender.close();
  receiver.close();
  return us;
}

function hmacUs(): number {
  const [inner, outer] = [randomBytes(1088), randomBytes(84)];
  return usOf(() => {
    hash('sha1', inner, 'binary');
    hash('sha1', outer, 'binary');
  });
}

function cipherUs(bytes: number): number {
  const cipher = createCipheriv('aes-128-ecb', randomBytes(16), null).setAutoPadding(false);
  const counters = Buffer.alloc(Math.ceil(bytes / 16) * 16);
  return usOf(() => cipher.update(counters));
}

function usOf(act: () => unknown): number {
  const count = 50_000;
  for (let nth = 0; nth < count; nth += 1) act();
  const before = cpuUsage();
  for (let nth = 0; nth < count; nth += 1) act();
  const { user, system } = cpuUsage(before);
  return (user + system) / count;
}
