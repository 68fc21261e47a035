/** Puts the parts of a real run together; which media server it is, the plan's kind says. */
import { basename } from 'node:path';
import { keepHeapSmall } from '../../host/small-heap.js';
import { given } from '../../model/given.js';
import type { Plan } from '../../model/plan.js';
import type { RunListener } from '../../model/run-event.js';
import { foreignProbes } from '../../probes/chromium/foreign-probes.js';
import type { StartFleet } from '../../probes/fleet.js';
import { castBy, mixedFleets } from '../../probes/mixed-fleet.js';
import { monotonicClock } from '../../probes/monotonic-clock.js';
import { GeneratorMeter } from '../../probes/signalling/generator-meter.js';
import { signallingFleets } from '../../probes/signalling/signalling-fleet.js';
import { scrapedEvidence } from '../../server-setup/evidence/scraped-evidence.js';
import type { MediaServer } from '../../server-setup/media-server.js';
import { hostOf, isElsewhere } from '../../server-setup/server-kind.js';
import type { PointSink } from '../../store/points/point-sink.js';
import type { Sink } from '../../store/sink.js';
import type { Parts } from '../../trial/parts.js';
import type { OpenHosts } from '../hosts/open-hosts.js';
import { listenAddress, networksOf } from '../networks/networks-part.js';
import { selectorOf } from '../options/evidence-flags.js';
import { playsElsewhere } from '../options/host-flags.js';
import type { RunRequest } from '../options/run-request.js';
import type { AskedServer } from '../options/server.js';
import { exampleOf } from '../options/sink-flags.js';
import type { ToolProcess } from '../process.js';
import { tooManyHere } from './calibration-file.js';
import type { FoundChromium } from './chromium.js';
import { assertTemporary, usableCache } from './folders.js';
import { playerFleets } from './players.js';
import { runParts } from './run-parts.js';
import { relayOf } from './turn.js';
import { visitOrderOf } from './visited-room.js';
import { wallClock } from './wall-clock.js';

/** What a run needs beside what it was asked. */
interface FoundMeans extends AskedServer {
  readonly chromium: FoundChromium;
  /** Hosts that play the probes; absent: this one does. */
  readonly hosts?: OpenHosts;
}

/** Who is told of the run. */
export interface Watcher {
  readonly listener: RunListener;
  /** Shows a line to whoever watches. */
  readonly say: (text: string) => void;
}

/** Makes the run's folder; starts nothing. Throws E_FOLDER, E_OUT. */
export async function wire(
  request: RunRequest,
  { chromium, hosts, ...asked }: FoundMeans,
  tool: ToolProcess,
  { listener, say }: Watcher,
): Promise<Parts> {
  keepHeapSmall();
  await assertTemporary();
  const cache = await usableCache(tool);
  const places = await openPlaces(request, tool, say);
  const parts = await runParts(request, tool, listener);
  const playsNone = playsElsewhere(request.plan) || request.plan.players.kind === 'signalling';
  const tooManyProbes = playsNone ? undefined : await tooManyHere(tool, chromium.version);
  const relay = relayOf(request.plan, hostOf(asked.kind, asked.server), tool);
  const networks = hosts
    ? hosts.networks
    : await networksOf(request.plan, await isElsewhere(asked.kind, asked.server), tool);
  return {
    ...parts,
    ...(tooManyProbes ? { host: { ...parts.host, tooManyProbes } } : {}),
    sinks: [...parts.sinks, ...(await copiesIn(places, request, parts.runDirectory))],
    server: await serverOf(request.plan, asked, tool, hosts ? hosts.listenOn : listenAddress(request.plan)),
    ...given({ relay, networks }),
    ...evidenceOf(request.plan, tool),
    startFleet: hosts?.startFleet ?? fleetsHere(request, tool, cache),
    clock: wallClock,
    othersOnHost: foreignProbes,
    chromium: { path: chromium.path, version: chromium.version },
  };
}

/** Nothing is asked before the first trial: a page that is not there is a gap, and no reason to measure nothing. */
function evidenceOf({ evidence }: Plan, { env }: ToolProcess): Pick<Parts, 'readScraped'> {
  if (!evidence) return {};
  const token = env.LOADLINE_EVIDENCE_TOKEN;
  const metrics = evidence.metrics.map(selectorOf);
  return { readScraped: scrapedEvidence({ urls: evidence.urls, metrics, token: token || undefined }) };
}

/** What plays participants of a run on this host. */
function fleetsHere(request: RunRequest, tool: ToolProcess, cacheFolder: string): StartFleet {
  const meter = new GeneratorMeter();
  const signalling = signallingFleets(monotonicClock, () => meter.read());
  const visit = visitOrderOf(request, tool, 'E_JOIN_SCRIPT_STUCK');
  return mixedFleets({ ...playerFleets(cacheFolder, visit), signalling }, castBy(request.plan.players));
}

/** Starts nothing. */
export function serverOf(
  plan: Plan,
  { kind, server }: AskedServer,
  { selfCommand, env }: ToolProcess,
  /** An address of this machine; absent: the usual one. */
  listenOn?: string,
): Promise<MediaServer> {
  return kind.make({ plan, server, selfCommand, env, ...given({ listenOn }) });
}

/** A place that is open for a copy, and the command that sends a run there again. */
interface OpenPlace {
  readonly to: PointSink;
  readonly again: string;
}

/** Opens each place, before the run's folder is made: one that cannot be opened leaves nothing behind. */
async function openPlaces(
  { copies = [] }: Pick<RunRequest, 'copies'>,
  { env }: Pick<ToolProcess, 'env'>,
  /** Shows a line to whoever watches. */
  say: (text: string) => void,
): Promise<readonly OpenPlace[]> {
  return Promise.all(
    copies.map(async ({ kind, description, open }) => {
      const to = await open({ env, onTrouble: (text) => say(`${description} ${text}`) });
      // What is known only now: the port of a page that took any free one.
      if (to.description !== description) say(to.description);
      return { to, again: `loadline export RUN ${exampleOf(kind)}` };
    }),
  );
}

/** A copy of the run in each place. */
async function copiesIn(
  places: readonly OpenPlace[],
  { scenario }: Pick<RunRequest, 'scenario'>,
  runDirectory: string,
): Promise<readonly Sink[]> {
  if (places.length === 0) return [];
  // Loaded late: most runs have no copy.
  const { copySink } = await import('../../store/points/copy-sink.js');
  return places.map((place) => copySink({ ...place, run: basename(runDirectory), scenario }));
}
