/**
 * What a probe costs: CPU and memory (PSS, not RSS) of the browsers' process trees at 1, 4 and 8 one-to-one calls on the
 * embedded server, without a limit. Usage: node dist/bench/density.js [CALLS,CALLS,...] [SECONDS]. Needs a quiet machine.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv, env } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ProbeHostReading } from '../model/evidence.js';
import { planSchema } from '../model/plan.js';
import type { Sample, StreamSample } from '../model/sample.js';
import { participantsOf, type Session } from '../model/scenario.js';
import { startChromiumFleet } from '../probes/chromium-fleet.js';
import { findChromium } from '../probes/find-chromium.js';
import type { Fleet } from '../probes/fleet.js';
import { findRoots, readProcessTreePss } from '../probes/process-tree.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import { startEmbeddedServer } from '../server-setup/embedded/server.js';
import { kurentoServer } from '../server-setup/kurento/kurento-server.js';
import type { ServerSession } from '../server-setup/media-server.js';

const settleMs = 8_000;
/** A host busier than this starves the probes: they then use less than they need, and the row says nothing. */
const fullShare = 0.9;

interface Point {
  readonly calls: number;
  readonly probes: number;
  readonly up: number;
  readonly probeCores: number;
  readonly busyCores: number;
  readonly pssMb: number;
  readonly sentKbps: number;
  readonly receivedFps: number;
  readonly lateMsMax: number;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** Joins the calls, waits until rates have grown, then measures for `seconds`. */
async function measurePoint(chromiumPath: string, calls: number, seconds: number): Promise<Point> {
  const folder = await mkdtemp(join(tmpdir(), 'loadline-density-'));
  const plan = planSchema.parse({ scenario: oneToOne.name, server: { kind: 'embedded' } });
  const { media, probesPerPage, pagesPerBrowser } = plan;
  const samples: Sample[] = [];
  const { signal } = new AbortController();
  const embedded = await startEmbeddedServer({ port: 0 });
  const server = kurentoServer({ url: embedded.url });
  const fleet = startChromiumFleet(
    {
      chromiumPath,
      media,
      probesPerPage,
      pagesPerBrowser,
      cacheFolder: join(tmpdir(), 'loadline-density-cache'),
      temporaryRoot: folder,
      pageScript: fileURLToPath(new URL('../page.js', import.meta.url)),
    },
    { onSamples: (batch) => samples.push(...batch), onEvent: () => undefined },
  );
  try {
    await server.start(signal);
    const sessions = oneToOne.sessions(calls);
    const opened = new Map<string, ServerSession>();
    for (const session of sessions) opened.set(session.id, await server.openSession(session, signal));
    await fleet.join(participantsOf(sessions), {
      pacePerSecond: 4,
      deadlineMs: 20_000,
      signal,
      negotiate: (request) => {
        const session = opened.get(request.participant.session);
        return session ? session.join(request) : Promise.reject(new Error('no such session'));
      },
    });
    await sleep(settleMs);
    samples.length = 0;
    const { readings, pssMb } = await watch(fleet, folder, seconds);
    await fleet.leave();
    return pointOf(sessions, fleet, readings, pssMb, samples);
  } finally {
    await fleet.close();
    await server.stop();
    await embedded.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Memory is read before and after the seconds that are measured: reading it makes the kernel walk every page. */
async function watch(
  fleet: Fleet,
  folder: string,
  seconds: number,
): Promise<{ readings: readonly ProbeHostReading[]; pssMb: number }> {
  const before = await browsersPss(folder);
  await fleet.readHost();
  const readings: ProbeHostReading[] = [];
  for (let second = 0; second < seconds; second += 1) {
    await sleep(1000);
    const reading = await fleet.readHost();
    if (reading) readings.push(reading);
  }
  return { readings, pssMb: mean([before, await browsersPss(folder)]) };
}

async function browsersPss(folder: string): Promise<number> {
  const roots = await findRoots((argument) => argument.startsWith(`--user-data-dir=${folder}`));
  const trees = await Promise.all([...roots].map(readProcessTreePss));
  return trees.reduce((sum, mb) => sum + mb, 0);
}

function pointOf(
  sessions: readonly Session[],
  fleet: Fleet,
  readings: readonly ProbeHostReading[],
  pssMb: number,
  samples: readonly Sample[],
): Point {
  const perSecond = (read: (stream: StreamSample) => number | undefined): number =>
    mean(
      samples.flatMap(({ streams, intervalMs }) =>
        streams.flatMap((stream) => {
          const value = stream.kind === 'video' ? read(stream) : undefined;
          return value === undefined ? [] : [(value * 1000) / intervalMs];
        }),
      ),
    );
  return {
    calls: sessions.length,
    probes: participantsOf(sessions).length,
    up: fleet.records().filter((record) => record.up && record.failures.length === 0).length,
    probeCores: mean(readings.map(({ probeCores }) => probeCores)),
    busyCores: mean(readings.map(({ busyCores }) => busyCores)),
    pssMb,
    sentKbps:
      (perSecond((stream) => ('bytesSent' in stream.metrics ? stream.metrics.bytesSent : undefined)) * 8) / 1000,
    receivedFps: perSecond((stream) => ('framesDecoded' in stream.metrics ? stream.metrics.framesDecoded : undefined)),
    lateMsMax: Math.max(0, ...samples.map(({ lateMs }) => lateMs)),
  };
}

function row(point: Point, first: Point): string {
  const [cpu, memory] = [point.probeCores / point.probes, point.pssMb / point.probes];
  const firstCpu = first.probeCores / first.probes;
  const firstMemory = first.pssMb / first.probes;
  return `| ${[
    point.calls,
    `${point.up} of ${point.probes}`,
    point.probeCores.toFixed(2),
    cpu.toFixed(3),
    (cpu / firstCpu).toFixed(2),
    point.pssMb.toFixed(0),
    memory.toFixed(0),
    (memory / firstMemory).toFixed(2),
    point.sentKbps.toFixed(0),
    point.receivedFps.toFixed(1),
    `${point.busyCores.toFixed(2)}${point.busyCores > fullShare * cpus().length ? ' (full: no figure)' : ''}`,
    point.lateMsMax.toFixed(0),
  ].join(' | ')} |`;
}

const calls = (argv[2] ?? '1,4,8').split(',').map(Number);
const seconds = Number(argv[3] ?? 10);
const found = await findChromium({ env });
if (!found) throw new Error('no Chromium was found');
console.log(`Chromium ${found.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'cpu'}, ${seconds} s per row\n`);
console.log(
  '| calls | probes up | cores | cores/probe | ratio | PSS MiB | MiB/probe | ratio | sent kbit/s | received fps | host busy cores | latest tick ms |',
);
console.log('|---|---|---|---|---|---|---|---|---|---|---|---|');
let first: Point | undefined;
for (const size of calls) {
  const point = await measurePoint(found.path, size, seconds);
  first ??= point;
  console.log(row(point, first));
}
