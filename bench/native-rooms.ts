/**
 * What a native member of a room costs that receives all others over one connection, or over one each: CPU and memory
 * of one process with rooms of ten on a Janus, where all send three layers if one is to be asked for. Usage: node
 * dist/bench/native-rooms.js URL [ROOMS [one|each [SECONDS [low|middle|high]]]], with the flags of a process of native
 * probes (probes/native/worker-process.ts) and --expose-gc. Needs a quiet machine.
 */
import { readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { argv, cpuUsage, exit } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { layerMedia, layerNames } from '../model/layer.js';
import { mediaSchema } from '../model/plan.js';
import { soundKbps } from '../model/rate-control.js';
import { workerSurroundings } from '../probes/native/surroundings.js';
import { NativeLink } from '../rtp/native-link.js';
import { sfuGroup } from '../scenarios/group.js';
import { onConnections } from '../scenarios/on-connections.js';
import { withLayers } from '../scenarios/with-layers.js';
import { JanusServer } from '../server-setup/janus/janus-server.js';
import { clipOfBytes } from '../tests/native-clip.js';
import { NativeMembers } from '../tests/native-members.js';
import { numberAt } from './stage/number-at.js';

const size = 10;
const settleMs = 5000;
const [url = ''] = argv.slice(2);
const [rooms, seconds] = [numberAt(3, 'ROOMS', 1), numberAt(5, 'SECONDS', 10)];
const subscribing = argv[4] === 'each' ? 'each' : 'one';
const { signal } = new AbortController();

/** Memory that nobody shares. */
const ownMb = (): number => {
  globalThis.gc?.();
  return Number(/Pss_Anon:\s+(\d+)/.exec(readFileSync('/proc/self/smaps_rollup', 'utf8'))?.[1]) / 1024;
};

const asked = layerNames.find((name) => name === argv[6]);
const videoKbps = asked ? 1000 : 500;
const simulcast = asked && { rids: ['l', 'm', 'h'], asked };
const media = mediaSchema.parse({ width: 960, height: 540, videoKbps, ...(simulcast ? { simulcast } : {}) });
const server = new JanusServer({ url, maxVideoKbps: videoKbps, videoCodec: 'vp8' });
await server.start(signal);
await NativeLink.prepare();
// A Janus gathers no loopback.
const addresses = Object.values(networkInterfaces()).flatMap((all = []) =>
  all.filter(({ family, internal }) => family === 'IPv4' && !internal).map(({ address }) => address),
);
const ofLayers = layerMedia(media).map(({ width, videoKbps: kbps }) =>
  clipOfBytes(kbps > 400 ? [kbps - soundKbps, kbps] : [kbps], 10, width),
);
const sending = { clips: asked ? ofLayers : [clipOfBytes([477])], videoKbps };
const surroundings = workerSurroundings({ addresses, videoCodec: 'VP8', sending });
surroundings.pulse.hold();
const before = ownMb();
const sessions = withLayers(onConnections(sfuGroup(size), subscribing), media).sessions(rooms);
const opened = await Promise.all(sessions.map((session) => server.openSession(session, signal)));
const all = opened.map((one) => new NativeMembers(one, surroundings, signal));
for (const [nth, { participants }] of sessions.entries()) {
  for (const one of participants) {
    all[nth]?.join(one);
    await sleep(60);
  }
}
const members = () => all.flatMap((one) => [...one.all.values()]);
const upOf = () => members().filter(({ told }) => told.at(-1)?.call === 'up').length;
for (let tenths = 0; tenths < 200 && upOf() < rooms * size; tenths += 1) await sleep(100);
let packets = 0;
let frames = 0;
const reading = setInterval(() => {
  const samples = members().flatMap(({ probe }) => probe.sample(0) ?? []);
  for (const stream of samples.flatMap(({ streams }) => streams)) {
    if (stream.direction !== 'receive') continue;
    packets += stream.metrics.packetsReceived ?? 0;
    frames += stream.metrics.framesDecoded ?? 0;
  }
  JSON.stringify(samples);
}, 1000);
await sleep(settleMs);
[packets, frames] = [0, 0];
const [cpu, fromMs] = [cpuUsage(), performance.now()];
await sleep(1000 * seconds);
const { user, system } = cpuUsage(cpu);
const took = (performance.now() - fromMs) / 1000;
const count = rooms * size;
console.log(`| rooms of ${size} | members up | cores | cores each | MB each | packets/s each | frames/s a stream |`);
console.log('|---|---|---|---|---|---|---|');
const cores = (user + system) / 1e6 / took;
const each = [cores / count, (ownMb() - before) / count].map((value, nth) => value.toFixed(nth === 0 ? 4 : 1));
const rates = [packets / took / count, frames / took / count / (size - 1)].map((value) => value.toFixed(1));
console.log(`| ${rooms} (${subscribing}) | ${upOf()} | ${cores.toFixed(3)} | ${[...each, ...rates].join(' | ')} |`);
clearInterval(reading);
for (const one of all) one.close();
await Promise.all(opened.map((one) => one.close()));
await server.stop();
exit();
