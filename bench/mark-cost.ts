/**
 * What marks cost, in percent of a probe. Full probes draw them and read them twice a second. Full and encoded probes
 * play as many calls with marks as without at the same time, each on a server of its own; who joins first alternates.
 * Of native ones it times the packets of a second with marks and without in turn, and holds that against a whole probe.
 * Usage: node dist/bench/mark-cost.js [ROUNDS [CALLS [SECONDS [KIND]]]]. Needs a quiet machine.
 */
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv, cpuUsage, env } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findChromium } from '../probes/chromium/find-chromium.js';
import type { FleetOptions, StartFleet } from '../probes/fleet.js';
import { markReaders, ReceivedMarks } from '../probes/native/received-marks.js';
import { StreamMarks } from '../probes/native/stream-marks.js';
import { markBytes, readMark } from '../probes/page/frame-mark.js';
import { MarkCounts } from '../probes/page/mark-counts.js';
import { CounterModeProtection } from '../rtp/counter-mode.js';
import { CounterModeReading } from '../rtp/counter-mode-reading.js';
import { leavingPacket, noBytes } from '../rtp/outgoing-packet.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import { failOfProbe, onCallStage } from './stage/call-stage.js';
import { numberAt } from './stage/number-at.js';
import { onOwnServer } from './stage/own-server.js';
import { type Played, playedBy } from './stage/played-by.js';
import { mean, settleMs, watchFor } from './stage/readings.js';

/** In front of the page's script: encoded media without marks, and so without what reads them in sound. */
const unmarked = `if (typeof document !== 'undefined') {
  const { get, set } = Object.getOwnPropertyDescriptor(RTCRtpReceiver.prototype, 'transform');
  const Own = RTCRtpScriptTransform, none = {};
  globalThis.RTCRtpScriptTransform = function (worker, { marks, ...order }) {
    return order.direction === 'receive' && order.kind === 'audio' ? none : new Own(worker, order);
  };
  Object.defineProperty(RTCRtpReceiver.prototype, 'transform', { get, set(it) { if (it !== none) set.call(this, it); } });
}
`;

type Own = (options: FleetOptions) => FleetOptions;

/** The kinds that are played with marks and without, each by what differs. */
const pairs: Readonly<Record<Exclude<Played, 'native'>, (withoutScript: string) => { with: Own; without: Own }>> = {
  full: () => ({
    with: (options) => ({ ...options, media: { ...options.media, drawnMarks: true } }),
    without: (options) => options,
  }),
  encoded: (pageScript) => ({ with: (options) => options, without: (options) => ({ ...options, pageScript }) }),
};

/** Cores of a probe, in calls of one kind on a server of their own. */
async function coresOf(chromiumPath: string, played: Played, own: Own): Promise<number> {
  const { through = (start: StartFleet) => start, ...kind } = { through: undefined, ...playedBy[played] };
  const stage = { chromiumPath, scenario: oneToOne, size: calls, probesPerPage: 8, pagesPerBrowser: 4, ...kind };
  const changed = (start: StartFleet): StartFleet => {
    const begin = through(start);
    return (options, listener) => begin(own(options), listener);
  };
  return onOwnServer({ onJanus: false, videoKbps: 500 }, (server) =>
    onCallStage({ ...stage, server, through: changed }, async (on) => {
      await sleep(settleMs);
      const { host } = await watchFor(seconds, on);
      failOfProbe(on, played);
      return mean(host.map(({ probeCores }) => probeCores)) / on.probes;
    }),
  );
}

async function comparePair(chromiumPath: string, played: keyof typeof pairs, withoutScript: string): Promise<void> {
  const own = pairs[played](withoutScript);
  const differences: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const);
    const found = await Promise.all(
      order.map(async (which, nth) => {
        await sleep(3000 * nth);
        return [which, await coresOf(chromiumPath, played, own[which])] as const;
      }),
    );
    const cores = Object.fromEntries(found);
    const [marked = Number.NaN, plain = Number.NaN] = [cores.with, cores.without];
    differences.push((100 * (marked - plain)) / plain);
    console.log(
      `${played}: ${plain.toFixed(4)} of a core without, ${marked.toFixed(4)} with (${order[0]} joined first)`,
    );
  }
  const average = mean(differences);
  const squares = differences.reduce((sum, each) => sum + (each - average) ** 2, 0);
  const error = rounds > 1 ? Math.sqrt(squares / (rounds - 1) / rounds).toFixed(1) : 'unknown';
  console.log(`${played}: marks cost ${average.toFixed(1)} % of a probe, standard error ${error}\n`);
}

/** What a native probe sends and receives in a second: pictures of two packets at 500 kbit/s, and a light voice. */
const second = { frames: 30, sounds: 50, part: 1020, sound: 107 } as const;
/** A header without elements. */
const rtpBytes = 12;

/** CPU microseconds of so many seconds of packets, protected and read; of marks: put in, deciphered, counted. */
function packetsTake(isMarked: boolean, many: number): number {
  const keys = { key: randomBytes(16), salt: randomBytes(14), authKey: randomBytes(20) };
  const protection = new CounterModeProtection(keys);
  const reading = new CounterModeReading(keys, (type) => (type === 96 ? 32 : isMarked ? Number.POSITIVE_INFINITY : 0));
  const nowMs = Date.now();
  const marking = { sender: 7, clock: 7 };
  const counts = { video: new MarkCounts(7, 7), audio: new MarkCounts(7, 7) };
  const vp8 = markReaders.vp8;
  const frames = vp8 && new ReceivedMarks(counts.video, vp8);
  const streams = {
    video: leavingPacket(1, { absSendTimeId: undefined }),
    audio: leavingPacket(2, { absSendTimeId: undefined }),
  };
  const marks = { video: new StreamMarks('video', marking), audio: new StreamMarks('audio', marking) };
  // A voice has its marks in place of its own padding.
  const bodies = { video: randomBytes(second.part), audio: randomBytes(second.sound - (isMarked ? markBytes : 0)) };
  const numbers = { video: 0, audio: 0 };
  const pass = (kind: 'video' | 'audio', isLast: boolean): void => {
    const outgoing = streams[kind];
    const number = numbers[kind];
    numbers[kind] += 1;
    Object.assign(outgoing.header, { payloadType: kind === 'video' ? 96 : 111, marker: isMarked && isLast });
    outgoing.header.sequenceNumber = number & 0xffff;
    outgoing.rollover = Math.floor(number / 65_536);
    outgoing.body = bodies[kind];
    outgoing.tail = noBytes;
    if (isMarked && isLast) marks[kind].put(outgoing, outgoing.body.length, nowMs, number * 1020);
    const datagram = Buffer.from(protection.protect(outgoing));
    const end = reading.readInPlace(datagram);
    const payload = datagram.subarray(rtpBytes, end);
    if (!isMarked || !isLast) return;
    if (kind === 'audio') counts.audio.note(readMark(payload), nowMs);
    else {
      frames?.look(number, payload, true);
      frames?.whole(number, nowMs);
    }
  };
  const before = cpuUsage();
  for (let nth = 0; nth < many * second.frames; nth += 1) {
    pass('video', false);
    pass('video', true);
  }
  for (let nth = 0; nth < many * second.sounds; nth += 1) pass('audio', true);
  const { user, system } = cpuUsage(before);
  if (isMarked && (counts.video.take()?.delays ?? []).length === 0) throw new Error('no mark came through');
  return (user + system) / many;
}

async function compareNative(chromiumPath: string): Promise<void> {
  const times: Record<'with' | 'without', number[]> = { with: [], without: [] };
  for (let round = 0; round < 15; round += 1)
    for (const which of ['with', 'without'] as const) times[which].push(packetsTake(which === 'with', 400));
  const [marked, plain] = [Math.min(...times.with.slice(1)), Math.min(...times.without.slice(1))];
  console.log(`native: the packets of a second take ${plain.toFixed(0)} µs without, ${marked.toFixed(0)} with`);
  const probeUs = 1e6 * (await coresOf(chromiumPath, 'native', (options) => options));
  const percent = (100 * (marked - plain)) / (probeUs - (marked - plain));
  console.log(`native: a probe takes ${probeUs.toFixed(0)} µs a second: marks cost ${percent.toFixed(1)} % of it\n`);
}

const [rounds, calls, seconds] = [numberAt(2, 'ROUNDS', 10), numberAt(3, 'CALLS', 2), numberAt(4, 'SECONDS', 30)];
const kinds = argv[5] ? [argv[5]] : ['native', 'encoded', 'full'];
const found = await findChromium({ env });
if (!found) throw new Error('no Chromium was found');
console.log(`Chromium ${found.version}, ${2 * calls} probes, ${seconds} s a round\n`);
const withoutScript = join(tmpdir(), 'loadline-page-without-marks.js');
await writeFile(
  withoutScript,
  unmarked + (await readFile(fileURLToPath(new URL('../page.js', import.meta.url)), 'utf8')),
);
for (const kind of kinds) {
  if (kind === 'native') await compareNative(found.path);
  else if (kind === 'full' || kind === 'encoded') await comparePair(found.path, kind, withoutScript);
  else throw new Error(`KIND is full, encoded or native, not ${kind}`);
}
