/**
 * How alike native and full probes are to a media server, layer by layer. Each kind plays a broadcast at the same time,
 * in three layers of 960x540, on a server of its own. Its viewers ask for one layer after the other. Prints for each
 * layer what was sent and received, key frames of the switch to it, the server's CPU, and the ratios to full probes. Usage: node dist/bench/layer-likeness.js [ROUNDS [SECONDS
 * [janus]]], SECONDS of each layer, 39 at most; with "janus" the servers are Debian's in place of embedded ones. Each
 * round takes 45 s more than its three layers. Needs a quiet machine.
 */
import { argv, env } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AskedTurn, askedLayer, type LayerName, switchMostMs } from '../model/layer.js';
import { mediaSchema } from '../model/plan.js';
import type { Sample, StreamSample } from '../model/sample.js';
import { eachSession, type Scenario } from '../model/scenario.js';
import { findChromium } from '../probes/chromium/find-chromium.js';
import { sentClips } from '../probes/native/sent-clip.js';
import { broadcast } from '../scenarios/broadcast.js';
import { onConnections } from '../scenarios/on-connections.js';
import { withLayers } from '../scenarios/with-layers.js';
import { benchCache, failOfProbe, onCallStage } from './stage/call-stage.js';
import { Meeting } from './stage/meeting.js';
import { numberAt } from './stage/number-at.js';
import { onOwnServer } from './stage/own-server.js';
import { playedBy } from './stage/played-by.js';
import { mean, metric, perSecond } from './stage/readings.js';

const viewers = 2;
const videoKbps = 1500;
const settleMs = 20_000;
/** Between the joins of one kind and the other. */
const apartMs = 5000;
/** The low one is asked for before the first switch. */
const firstAskMs = 3000;
/** Until a second of one layer alone. */
const turnedMs = switchMostMs + 1000;
const rids = ['l', 'm', 'h'] as const;
const order = ['high', 'middle', 'low'] as const;
const kinds = ['full', 'native'] as const;
type Kind = (typeof kinds)[number];
const media = mediaSchema.parse({ width: 960, height: 540, videoKbps, simulcast: { rids, asked: 'low' } });

const [rounds, seconds] = [numberAt(2, 'ROUNDS', 4), Math.min(39, numberAt(3, 'SECONDS', 35))];
const onJanus = argv.includes('janus');

/** Of one kind in one round, by the name of what was measured. */
type Figures = ReadonlyMap<string, number>;

const beginsMs = (nth: number): number => firstAskMs + nth * seconds * 1000;
const turns: readonly AskedTurn[] = [[0, 'low'], ...order.map((name, nth): AskedTurn => [beginsMs(nth), name])];

/** In which all viewers ask for one layer after the other. */
function inTurns(scenario: Scenario): Scenario {
  const layer = { ...askedLayer(media, 'high'), turns };
  return eachSession(withLayers(scenario, media), (session) => ({
    ...session,
    participants: session.participants.map((one) => ({
      ...one,
      legs: one.legs.map((leg) =>
        leg.from && 'participant' in leg.from ? { ...leg, from: { ...leg.from, layer } } : leg,
      ),
    })),
  }));
}

function played(kind: Kind, chromiumPath: string, meeting: Meeting): Promise<Figures> {
  const figures = onOwnServer({ onJanus, videoKbps }, (server) => {
    const scenario = inTurns(onJanus ? onConnections(broadcast, 'each') : broadcast);
    const stage = { chromiumPath, server, scenario, size: viewers, media, probesPerPage: 8, pagesPerBrowser: 4 };
    return onCallStage({ ...stage, ...playedBy[kind] }, async (on) => {
      await meeting.come();
      await sleep(settleMs);
      failOfProbe(on, kind);
      const fromMs = Date.now();
      on.beginChanges();
      await sleep(beginsMs(order.length) + 1000);
      failOfProbe(on, kind);
      const { server: readings } = on.evidence();
      const of = (layer: LayerName, nth: number): readonly (readonly [string, number])[] => {
        const [askedMs, endMs] = [fromMs + beginsMs(nth), fromMs + beginsMs(nth + 1)];
        const within = <Of extends { readonly atMs: number }>(all: readonly Of[], from: number): readonly Of[] =>
          all.filter(({ atMs: ms }) => ms > from && ms <= endMs);
        const settled = within(on.samples, askedMs + turnedMs + 1000);
        const cores = within(readings, askedMs + turnedMs).flatMap(({ cpuCores }) => cpuCores ?? []);
        const switching = within(on.samples, askedMs).filter((sample) => sample.atMs <= askedMs + turnedMs);
        return [
          ...figuresOf(settled, layer),
          ...switchOf(switching, layer),
          ['server, cores', mean(cores)] as const,
        ].map(([name, value]) => [`${layer}: ${name}`, value]);
      };
      return new Map(order.flatMap(of));
    });
  });
  figures.catch((error: unknown) => meeting.failed(error));
  return figures;
}

const isSentAs = (layer: LayerName, { direction, kind, stream }: StreamSample): boolean =>
  direction === 'send' && kind === 'video' && stream === rids[['low', 'middle', 'high'].indexOf(layer)];

function figuresOf(samples: readonly Sample[], layer: LayerName): readonly (readonly [string, number])[] {
  const sent = (name: string) =>
    perSecond(samples, (one) => (isSentAs(layer, one) ? metric('send', 'video', name)(one) : undefined));
  const received = (name: string) => perSecond(samples, metric('receive', 'video', name));
  return [
    ['sent, kbit/s', (sent('bytesSent') * 8) / 1000],
    ['sent, packets/s', sent('packetsSent')],
    ['sent, frames/s', sent('framesSent')],
    ['received, kbit/s', (received('bytesReceived') * 8) / 1000],
    ['received, packets/s', received('packetsReceived')],
    ['received, frames/s', received('framesDecoded')],
  ];
}

/** Key frames of the layer that is switched to, in the time that a switch may take. */
function switchOf(samples: readonly Sample[], layer: LayerName): readonly (readonly [string, number])[] {
  const streams = samples.flatMap((sample) => sample.streams);
  const keys = streams.flatMap((one) =>
    isSentAs(layer, one) ? (metric('send', 'video', 'keyFramesEncoded')(one) ?? []) : [],
  );
  const took = streams.flatMap((one) => {
    const becameMs = metric('receive', 'video', 'newWidthMs')(one);
    return becameMs === undefined || one.direction !== 'receive' || !one.asked ? [] : [one.asked.forMs - becameMs];
  });
  return [
    ['key frames on the switch', keys.reduce((sum, each) => sum + each, 0)],
    ['ms to the switch', mean(took)],
  ];
}

async function round(chromiumPath: string, nth: number): Promise<Readonly<Record<Kind, Figures>>> {
  const meeting = new Meeting(kinds.length);
  const [first, second] = nth % 2 === 0 ? kinds : kinds.toReversed();
  const one = played(first ?? 'full', chromiumPath, meeting);
  await sleep(apartMs);
  const all = await Promise.all([one, played(second ?? 'native', chromiumPath, meeting)]);
  const [full = new Map(), native = new Map()] = nth % 2 === 0 ? all : all.toReversed();
  return { full, native };
}

const found = await findChromium({ env });
if (!found) throw new Error('no Chromium was found');
console.log(
  `Chromium ${found.version}, ${rounds} rounds of ${seconds} s of each layer, on ${onJanus ? 'Janus' : 'embedded servers'}\n`,
);
// On first use that takes longer than probes may take to join.
await sentClips({ chromiumPath: found.path, media, cacheFolder: benchCache, probesPerPage: 1, pagesPerBrowser: 1 });
const all: Readonly<Record<Kind, Figures>>[] = [];
for (let nth = 0; nth < rounds; nth += 1) all.push(await round(found.path, nth));
console.log('| layer | full | native | native to full | rounds |\n|---|---:|---:|---:|---|');
for (const name of all[0]?.full.keys() ?? []) {
  const of = (kind: Kind) => all.map((one) => one[kind].get(name) ?? Number.NaN);
  const [full, native] = [of('full'), of('native')];
  const ratios = full.map((value, nth) => ((native[nth] ?? Number.NaN) / value).toFixed(3));
  const digits = name.includes('cores') ? 4 : 1;
  const cells = [mean(full).toFixed(digits), mean(native).toFixed(digits), (mean(native) / mean(full)).toFixed(3)];
  console.log(`| ${[name, ...cells, ratios.join(', ')].join(' | ')} |`);
}
