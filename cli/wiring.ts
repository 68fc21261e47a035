/** The only file that names concrete parts together. */
import { homedir, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { RealServerPlan } from '../model/plan.js';
import type { RunListener } from '../model/run-event.js';
import { startChromiumFleet } from '../probes/chromium-fleet.js';
import { foreignProbes } from '../probes/foreign-probes.js';
import { embeddedServer, steadyHeapFlags } from '../server-setup/embedded/embedded-process.js';
import { kurentoServer } from '../server-setup/kurento/kurento-server.js';
import type { MediaServer } from '../server-setup/media-server.js';
import { influxWriter } from '../store/influx/http-write.js';
import type { Sink } from '../store/sink.js';
import type { Parts } from '../trial/parts.js';
import { tooManyHere } from './calibration-file.js';
import type { FoundChromium } from './chromium.js';
import { listenAddress, networksOf } from './networks/networks-part.js';
import { influxLogin } from './options/influx-flags.js';
import type { RunRequest } from './options/run-flags.js';
import type { ToolProcess } from './process.js';
import { runParts } from './run-parts.js';
import { relayOf } from './turn.js';
import { wallClock } from './wall-clock.js';

/** Makes the run's folder; starts nothing. Throws E_OUT. */
export async function wire(
  request: RunRequest,
  server: RealServerPlan,
  tool: ToolProcess,
  chromium: FoundChromium,
  listener: RunListener,
  /** Shows a line to whoever watches. */
  say: (text: string) => void,
): Promise<Parts> {
  const parts = await runParts(request, tool, listener);
  const tooManyProbes = await tooManyHere(tool, chromium.version);
  const relay = relayOf(request.plan, server, tool);
  const networks = await networksOf(request.plan, server, tool);
  return {
    ...parts,
    ...(tooManyProbes ? { host: { ...parts.host, tooManyProbes } } : {}),
    sinks: [...parts.sinks, ...(await influxSinks(request, parts.runDirectory, tool, say))],
    server: serverOf(request, server, tool),
    ...(relay ? { relay } : {}),
    ...(networks ? { networks } : {}),
    startFleet: (options, fleetListener) =>
      startChromiumFleet({ ...options, cacheFolder: cacheFolder(tool), temporaryRoot: tmpdir() }, fleetListener),
    clock: wallClock,
    othersOnHost: foreignProbes,
    chromium: { path: chromium.path, version: chromium.version },
  };
}

/** Loaded late: most runs have no InfluxDB. */
async function influxSinks(
  { influx, scenario }: RunRequest,
  runDirectory: string,
  tool: ToolProcess,
  say: (text: string) => void,
): Promise<readonly Sink[]> {
  if (!influx) return [];
  const { influxSink } = await import('../store/influx/influx-sink.js');
  const { LineSender } = await import('../store/influx/line-sender.js');
  const onTrouble = (text: string) => say(`InfluxDB ${influx.label} ${text}`);
  const sender = new LineSender({ write: influxWriter(influx, influxLogin(tool.env)), onTrouble });
  return [influxSink({ target: influx, sender, run: basename(runDirectory), scenario })];
}

export function serverOf({ plan }: Pick<RunRequest, 'plan'>, server: RealServerPlan, tool: ToolProcess): MediaServer {
  const record = plan.record === true;
  if (server.kind === 'kurento') {
    const { url, restartCommand } = server;
    const restart = restartCommand === undefined ? {} : { restartCommand };
    return kurentoServer({ url, maxVideoKbps: plan.media.videoKbps, record, ...restart });
  }
  const { egressLimitBps, cpuLimitCores } = server;
  const [node = '', ...script] = tool.selfCommand;
  const host = listenAddress(plan);
  return embeddedServer({
    command: [node, ...steadyHeapFlags, ...script],
    record,
    followEstimates: plan.networks !== undefined,
    ...(host === undefined ? {} : { host }),
    ...(egressLimitBps === undefined ? {} : { egressLimitBps }),
    ...(cpuLimitCores === undefined ? {} : { cpuLimitCores }),
  });
}

/** What may be made again at any time, such as the clip of the fake camera (XDG Base Directory Specification). */
export function cacheFolder({ env }: ToolProcess): string {
  const base = env.XDG_CACHE_HOME;
  return join(base?.startsWith('/') ? base : join(homedir(), '.cache'), 'loadline');
}
