import type { FinishedRun } from '../../model/finished-run.js';
import { given } from '../../model/given.js';
import { givenTo } from '../../model/given-to.js';
import { receivesMix } from '../../model/scenario.js';
import type { TrialRecord } from '../../model/trial.js';
import { highest } from '../statistics/statistics.js';
import { contrastOf } from './contrast.js';
import { exhaustedThings, type ServerExhaustion } from './exhaustion.js';
import { trialsAt } from './trials-at.js';

/** A limit that is used to this share is the one that was met: the rest is the grain of the clock that measures it. */
const exhaustedShare = 0.95;
/** The same share of its periods from which a quota is held to disturb the browsers (`judge/host-reasons.ts`). */
const throttledPercentMin = 10;
/** Below it the kernel takes back from programs what they read from disk, as on a probe host. */
const hostMemoryMbMin = 256;
const hostLinkPercentMin = 92;

/**
 * What the server ran out of at the sizes that failed, by contrast: sizes that held had clearly less in use. What is in
 * use whatever the load did not run out.
 */
export function serverExhaustions(run: FinishedRun, failedSizes: readonly number[]): ServerExhaustion[] {
  const found = [...failedSizes]
    .sort((a, b) => a - b)
    .flatMap((size) => {
      const trials = trialsAt(run.records, size).filter(({ verdict }) => verdict.kind === 'unstable');
      const quota = quotaExhaustion(run, size, trials);
      const isOfCpus = run.manifest.server.cpuLimitCores !== undefined || !quota;
      return [
        isOfCpus ? cpuExhaustion(run, size, trials) : undefined,
        quota,
        threadExhaustion(size, trials),
        memoryExhaustion(size, trials),
        linkExhaustion(run, size, trials),
        ...hostExhaustions(size, trials),
        turnExhaustion(run, size, trials),
      ].flatMap((one) => one ?? []);
    });
  const held = run.records.filter(({ verdict, drill }) => verdict.kind === 'stable' && !drill);
  const named = found.flatMap((one) => {
    const contrast = contrastOf(one, held);
    return contrast ? { ...one, ...contrast } : [];
  });
  return exhaustedThings.flatMap((what) => named.find((one) => one.what === what) ?? []);
}

/**
 * Of what the run, its quota or its CPUs give it. How often a quota held it back is told with it where that was read.
 */
function cpuExhaustion(
  { manifest }: FinishedRun,
  size: number,
  trials: readonly TrialRecord[],
): ServerExhaustion | undefined {
  const limit = givenTo(manifest.server).cores;
  if (limit === undefined) return undefined;
  // Of one trial, and of one source: the cores of one beside the periods of another would be of none.
  const full = trials.flatMap(({ load }) => {
    const used = load.serverCoresMean;
    const throttledPercent = load.quotaCoresMean === undefined ? load.serverThrottledPercent : undefined;
    const isFull = used !== undefined && used >= exhaustedShare * limit;
    const isHeldBack = throttledPercent !== undefined && throttledPercent >= throttledPercentMin;
    return used !== undefined && (isFull || isHeldBack) ? { used, ...given({ throttledPercent }) } : [];
  });
  const [worst] = full.sort((a, b) => b.used - a.used);
  return worst && { what: 'cpu', size, limit, ...worst };
}

/**
 * Of a quota that its control groups have. A period in which it was used up stopped the server until the next one. A
 * quota that the run gave is told with its CPU, unless it is another's.
 */
function quotaExhaustion(
  { manifest }: FinishedRun,
  size: number,
  trials: readonly TrialRecord[],
): ServerExhaustion | undefined {
  const full = trials.flatMap(({ load }) => {
    const { serverCpuQuotaCores: limit, serverThrottledPercent: throttledPercent = 0 } = load;
    const used = load.quotaCoresMean ?? load.serverCoresMean ?? load.scrapedCoresMean;
    const isTold = manifest.server.cpuLimitCores !== undefined && load.quotaCoresMean === undefined;
    if (isTold || limit === undefined || throttledPercent < throttledPercentMin) return [];
    return { limit, throttledPercent, ...given({ used }) };
  });
  const [worst] = full.sort((a, b) => b.throttledPercent - a.throttledPercent);
  return worst && { what: 'cpu-quota', size, ...worst };
}

/** A thread runs on one CPU at a time: what one thread does alone ends there, however many cores there are. */
function threadExhaustion(size: number, trials: readonly TrialRecord[]): ServerExhaustion | undefined {
  const threads = trials.flatMap(({ load }) => load.serverThread ?? []);
  const [fullest] = threads.sort((a, b) => b.coresMean - a.coresMean);
  if (!fullest || fullest.coresMean < exhaustedShare) return undefined;
  const { name, coresMean, waitedPercent } = fullest;
  return { what: 'thread', size, used: coresMean, limit: 1, waitedPercent, ...given({ name }) };
}

/** By its resident memory: what a control group counts as used holds files that it gives back when asked. */
function memoryExhaustion(size: number, trials: readonly TrialRecord[]): ServerExhaustion | undefined {
  const full = trials.flatMap(({ load }) => {
    const used = load.limitMemoryMbMax ?? load.serverRssMbMax ?? load.scrapedMemoryMbMax;
    const limit = load.serverMemoryLimitMb;
    return used !== undefined && limit !== undefined && used >= exhaustedShare * limit ? { used, limit } : [];
  });
  const [worst] = full.sort((a, b) => b.used / b.limit - a.used / a.limit);
  return worst && { what: 'memory', size, ...worst };
}

/** What a page of metrics told of the host that the server is on. */
function hostExhaustions(size: number, trials: readonly TrialRecord[]): (ServerExhaustion | undefined)[] {
  const loads = trials.map(({ load }) => load);
  const [cpu] = loads
    .flatMap(({ serverHostCores: cores, serverHostBusyPercentMean: busy, serverHostStolenPercentMean: stolen }) =>
      cores === undefined || busy === undefined ? [] : { busy, cores, ...given({ stolen }) },
    )
    .sort((a, b) => b.busy - a.busy);
  const [memory] = loads
    .flatMap(({ serverHostMemoryMb: limit, serverHostMemoryMbMin: free }) =>
      limit === undefined || free === undefined ? [] : { free, limit },
    )
    .sort((a, b) => a.free - b.free);
  const link = highest(loads.flatMap(({ serverHostLinkPercentMean }) => serverHostLinkPercentMean ?? []));
  return [
    cpu && cpu.busy >= 100 * exhaustedShare
      ? {
          ...{ what: 'host-cpu', size, used: (cpu.busy / 100) * cpu.cores, limit: cpu.cores },
          ...given({ stolen: cpu.stolen && (cpu.stolen / 100) * cpu.cores }),
        }
      : undefined,
    memory && memory.free < hostMemoryMbMin
      ? { what: 'host-memory', size, used: memory.limit - memory.free, limit: memory.limit }
      : undefined,
    // Counted are bytes of frames; preamble, checksum and gap take 2 to 8 % beside (IEEE 802.3).
    link !== undefined && link >= hostLinkPercentMin ? { what: 'host-link', size, used: link, limit: 100 } : undefined,
  ];
}

function linkExhaustion(
  { manifest }: FinishedRun,
  size: number,
  trials: readonly TrialRecord[],
): ServerExhaustion | undefined {
  const limitBps = manifest.server.egressLimitBps;
  if (limitBps === undefined) return undefined;
  const limit = limitBps / 1e6;
  const full = trials.flatMap(({ load: { serverEgressMbpsMean: used = 0, serverEgressDropped: dropped = 0 } }) =>
    dropped > 0 && used >= exhaustedShare * limit ? { used, dropped } : [],
  );
  const [worst] = full.sort((a, b) => b.used - a.used);
  return worst && { what: 'up-link', size, limit, ...worst };
}

/** A relay can use as many cores as it has threads. */
function turnExhaustion(
  { manifest: { turn, host } }: FinishedRun,
  size: number,
  trials: readonly TrialRecord[],
): ServerExhaustion | undefined {
  const limit = Math.min(turn?.threads ?? Number.POSITIVE_INFINITY, host.cores);
  const used = highest(trials.flatMap(({ load }) => load.turnCoresMean ?? []));
  if (!turn?.sameHost || used === undefined || used < exhaustedShare * limit) return undefined;
  return { what: 'turn-cpu', size, used, limit };
}

/** Before the third trial a server is still warming up: code is loaded, pools are filled. */
const warmUpTrials = 2;
const growthShare = 0.2;

/** Resident memory after each reset, if it grew by over a fifth and the server was not restarted. */
export function memoryGrowth({ records }: FinishedRun) {
  const noted = records.slice(warmUpTrials).flatMap(({ index, reset }) => {
    const rssMb = reset?.restartMs === undefined ? reset?.rssMb : undefined;
    return rssMb === undefined ? [] : { index, rssMb };
  });
  const [first] = noted;
  const last = noted.at(-1);
  if (!first || !last || last.rssMb <= (1 + growthShare) * first.rssMb) return undefined;
  return { fromMb: first.rssMb, toMb: last.rssMb, fromTrial: first.index, toTrial: last.index };
}

/** Legs of forwarding sessions for which the server said that it transcodes; each trial's legs count anew. */
export function transcodedLegs({ records }: FinishedRun): number {
  return records.reduce((count, record) => count + transcodedIn(record).size, 0);
}

function transcodedIn({ probes, events }: TrialRecord): ReadonlySet<string> {
  const mixed = new Set(probes.flatMap(({ participant }) => participant.legs.filter(receivesMix).map(({ id }) => id)));
  return new Set(
    events.flatMap((event) => {
      if (event.type !== 'server' || event.kind !== 'transcoding' || !event.begun) return [];
      return mixed.has(event.leg) ? [] : event.leg;
    }),
  );
}
