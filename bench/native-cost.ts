/**
 * What one participant costs without a browser: CPU time and memory (RSS above that of none) of a process that plays so many receivers of one stream of the
 * embedded server, or so many senders of such a stream: on werift as it comes, as native probes are, and on ready-made native stacks. And what a packet must cost
 * at the least: reading it from a socket, and its SRTP.
 * Usage: node dist/bench/native-cost.js [PEERS [SECONDS [KINDS [FOLDER]]]]; KINDS is a list of those below, and FOLDER is where
 * `npm install node-datachannel @roamhq/wrtc` was run, for the kinds that need it. Rates are those of our video and sound together.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { argv, cpuUsage, execPath, exit, memoryUsage } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startEmbeddedServer } from '../embedded-server/server.js';
import { NativePeer } from '../probes/native/native-peer.js';
import { dropsByPort, dropsSince } from '../probes/native/socket-drops.js';
import { workerSurroundings } from '../probes/native/surroundings.js';
import { NativeLink } from '../rtp/native-link.js';
import { joinNative } from '../tests/embedded/join-native.js';
import { joinedSender } from '../tests/embedded/joined-sender.js';
import { TestClient } from '../tests/embedded/test-client.js';
import { WeriftPeer } from '../tests/embedded/werift-peer.js';
import { clipOfBytes } from '../tests/native-clip.js';
import {
  browserReceiver,
  dataChannelReceiver,
  dataChannelSender,
  unreadDataChannelReceiver,
} from './stage/foreign-stacks.js';
import { packetFloor } from './stage/packet-floor.js';

/** Of one received video and its sound (docs/encoded-probes.md). */
const video = { everyMs: 1000 / 60.5, bytes: 1000 };
const sound = { everyMs: 20, bytes: 100 };
const packetsPerSecond = 1000 / video.everyMs + 1000 / sound.everyMs;
const settleMs = 1000;
/** A native sender begins at 300 kbit/s and goes up. */
const sendingSettleMs = 12_000;

interface Cost {
  readonly coreShare: number;
  readonly packets: number;
  readonly rssMb: number;
}
type Count = () => number | Promise<number>;
/** Joins one peer; returns what counts its packets, or nothing where only who sends them can. */
type Join = (client: TestClient, endpoint: string, folder: string) => Promise<Count | undefined>;

const receivers: Readonly<Record<string, Join>> = {
  werift: async (client, to) => {
    const peer = await WeriftPeer.join(client, to, 'recvonly');
    return () => peer.received.length;
  },
  native: async (client, to) => {
    const peer = await connected({ id: to, sends: [], receives: ['video'], from: { participant: 'p' } }, client, to);
    return () => counted(peer, 'inbound-rtp', 'packetsReceived');
  },
  'native-by-node': (client, to, folder) => {
    pollsSockets = false;
    return receivers.native?.(client, to, folder) ?? Promise.resolve(undefined);
  },
  libdatachannel: (client, to, folder) => dataChannelReceiver(folder, client, to),
  'libdatachannel-unread': async (client, to, folder) => {
    await unreadDataChannelReceiver(folder, client, to);
    return undefined;
  },
  libwebrtc: (client, to, folder) => browserReceiver(folder, client, to),
};
const senders: Readonly<Record<string, Join>> = {
  'werift-sends': async (client, from) => {
    const peer = await WeriftPeer.join(client, from, 'sendonly');
    return fed((bytes) => peer.send(bytes));
  },
  'native-sends': async (client, from) => {
    const peer = await connected({ id: from, sends: ['audio', 'video'], receives: [] }, client, from);
    return () => counted(peer, 'outbound-rtp', 'packetsSent');
  },
  'native-sends-by-node': (client, from, folder) => {
    pollsSockets = false;
    return senders['native-sends']?.(client, from, folder) ?? Promise.resolve(undefined);
  },
  'libdatachannel-sends': async (client, from, folder) => fed(await dataChannelSender(folder, client, from)),
};

/** As probes do; else Node reads and writes their sockets. */
let pollsSockets = true;

const [mode = '10', ...rest] = argv.slice(2);
if (mode === 'serve') await serve();
else if (mode in receivers || mode in senders) await play(mode, rest);
else await measureAll(Number(mode), Number(rest[0] ?? 10), (rest[1] ?? 'werift,native').split(','), rest[2] ?? '');

/** A server with one sender, in a process of its own; tells its address and the sender's endpoint. */
async function serve(): Promise<void> {
  const server = await startEmbeddedServer({ port: 0 });
  const client = await TestClient.open(server.url);
  const pipeline = await client.create('MediaPipeline');
  const { from, sender } = await joinedSender(client, pipeline);
  console.log(JSON.stringify({ url: server.url, pipeline, from }));
  fed((bytes) => sender.send(bytes));
}

/** Gives packets to send at the rates of video and sound. */
function fed(send: (bytes: number) => void): Count {
  const startedMs = performance.now();
  const sent = { video: 0, sound: 0 };
  setInterval(() => {
    const ageMs = performance.now() - startedMs;
    for (; sent.video * video.everyMs < ageMs; sent.video += 1) send(video.bytes);
    for (; sent.sound * sound.everyMs < ageMs; sent.sound += 1) send(sound.bytes);
  }, 5);
  return () => sent.video + sent.sound;
}

/** Shared by all probes of a process, the clip as well. */
let shared: ReturnType<typeof workerSurroundings> | undefined;
async function surroundings(sends: boolean): Promise<NonNullable<typeof shared>> {
  await NativeLink.prepare();
  const sending = sends ? { sending: { clip: clipOfBytes([100, 250, 477, 500]), videoKbps: 500 } } : {};
  shared ??= workerSurroundings({ addresses: ['127.0.0.1'], videoCodec: 'VP8', ...sending }, pollsSockets);
  return shared;
}

async function connected(leg: NativePeer['leg'], client: TestClient, endpoint: string): Promise<NativePeer> {
  const peer = new NativePeer(leg, await surroundings(leg.sends.length > 0), () => undefined);
  await joinNative(peer, client, endpoint);
  while (peer.state !== 'connected') await sleep(10);
  return peer;
}

function counted(peer: NativePeer, type: string, name: 'packetsReceived' | 'packetsSent'): number {
  const entries = [...peer.stats().values()].filter((entry) => entry.type === type);
  return entries.reduce((sum, entry) => sum + Number(entry[name] ?? 0), 0);
}

async function play(
  kind: string,
  [url = '', pipeline = '', from = '', peers = '', seconds = '', folder = '']: string[],
) {
  const client = await TestClient.open(url);
  const [receiving, sending] = [receivers[kind], senders[kind]];
  const rssBefore = memoryUsage.rss();
  const counts: (Count | undefined)[] = [];
  for (let nth = 0; nth < Number(peers); nth += 1) {
    const endpoint = await client.create('WebRtcEndpoint', { mediaPipeline: pipeline });
    if (receiving) await client.invoke(from, 'connect', { sink: endpoint });
    counts.push(await (receiving ?? sending)?.(client, endpoint, folder));
  }
  await sleep(sending ? sendingSettleMs : settleMs);
  const packets = async () => {
    const each = await Promise.all(counts.map((count) => count?.() ?? Number.NaN));
    return each.reduce((sum, one) => sum + one, 0);
  };
  const anyPort = new Set(Array.from({ length: 65_536 }, (_, port) => port));
  const drops = async () => dropsByPort(await readFile('/proc/net/udp', 'utf8'), anyPort);
  const [before, droppedBefore] = [await packets(), await drops()];
  const [cpuBefore, atMs] = [cpuUsage(), performance.now()];
  await sleep(Number(seconds) * 1000);
  const { user, system } = cpuUsage(cpuBefore);
  const tookMs = performance.now() - atMs;
  const [after, dropped] = [await packets(), dropsSince(droppedBefore, await drops())];
  if (dropped > 0) throw new Error(`${dropped} datagrams were dropped by full sockets: the row would say nothing`);
  const asSent = (packetsPerSecond * Number(peers) * tookMs) / 1000;
  const cost: Cost = {
    coreShare: (user + system) / 1000 / tookMs,
    packets: Number.isNaN(before) ? asSent : after - before,
    rssMb: (memoryUsage.rss() - rssBefore) / 2 ** 20,
  };
  console.log(JSON.stringify(cost));
  exit(0);
}

async function measureAll(peers: number, seconds: number, kinds: readonly string[], folder: string): Promise<void> {
  const self = fileURLToPath(import.meta.url);
  const server = spawn(execPath, [self, 'serve'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(server.stdout, 'data');
  const { url, pipeline, from } = JSON.parse(String(line)) as { url: string; pipeline: string; from: string };
  console.log(`${peers} peers, ${seconds} s, ${packetsPerSecond.toFixed(0)} packets/s each\n`);
  console.log('| | core each | µs of CPU per packet | packets/s each | MiB each |\n|---|---|---|---|---|');
  try {
    for (const kind of kinds) {
      const child = spawn(execPath, [self, kind, url, pipeline, from, String(peers), String(seconds), folder], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [told] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(() => [undefined])]);
      if (told === undefined) throw new Error(`the process of ${kind} ended`);
      const { coreShare, packets, rssMb } = JSON.parse(String(told)) as Cost;
      const perPacketUs = (coreShare * seconds * 1e6) / packets;
      console.log(
        `| ${kind} | ${(coreShare / peers).toFixed(4)} | ${perPacketUs.toFixed(1)} | ${(packets / seconds / peers).toFixed(1)} | ${(rssMb / peers).toFixed(2)} |`,
      );
    }
  } finally {
    server.kill('SIGKILL');
  }
  for (const [what, us] of await packetFloor()) {
    console.log(`| floor: ${what} | ${((us * packetsPerSecond) / 1e6).toFixed(4)} | ${us.toFixed(1)} | | |`);
  }
}
