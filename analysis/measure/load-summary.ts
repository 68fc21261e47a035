import type { Evidence, MemberReading, ProbeHostReading, ServerReading, TurnReading } from '../../model/evidence.js';
import { given } from '../../model/given.js';
import { groupedBy } from '../../model/grouped.js';
import type { LoadSummary, MemberLoadSummary } from '../../model/load-summary.js';
import { hostOf } from '../../model/probe-host.js';
import type { ProbeRecord } from '../../model/trial.js';
import { highest, lowest, sum } from '../statistics/statistics.js';
import { type HostLoad, hostLoadOf, hostSummaries, samplesExpected } from './host-summaries.js';
import { meanOver, type Spanning, spanning } from './over-time.js';
import { limitLoad, scrapedLoad } from './scraped-load.js';
import { countedWithin, type TimeWindow, type TrialSamples, talliesIn } from './window.js';

/** Readings are taken once a second; a few come late on any full host. */
const readPercentEnough = 80;
const fewSeconds = 5;

interface LoadInput {
  readonly probes: readonly ProbeRecord[];
  readonly samples: TrialSamples;
  readonly evidence: Evidence;
  readonly window: TimeWindow | undefined;
}

/** Peak and mean of the hosts' load over the window; what was never read is absent. */
export function loadSummary({ probes, samples, evidence, window }: LoadInput): LoadSummary {
  if (!window) return { samplesExpected: 0, samplesGot: 0 };
  const within = ({ atMs }: { readonly atMs: number }) => atMs > window.startMs && atMs <= window.endMs;
  const got = talliesIn(samples, window);
  const servers = evidence.server.filter(within);
  const cores = servers.flatMap(({ cpuCores }) => cpuCores ?? []);
  const seconds = (window.endMs - window.startMs) / 1000;
  // Of a process nothing is missed: each reading tells what it took since the one before.
  const isSaid = servers.every(({ rssMb }) => rssMb === undefined);
  const isUnread = isSaid && !isMost(1000 * cores.length, window);
  const members = membersOf(servers, evidence.server, window);
  const { turn = [] } = evidence;
  const scraped = (evidence.scraped ?? [])
    .filter(within)
    .map((one) => ({ ...one, ...given({ spanMs: one.spanMs && Math.min(one.spanMs, one.atMs - window.startMs) }) }));
  const serverCoresMean = meanCores(evidence.server, window);
  const serverRssMbMax = highest(servers.flatMap(({ rssMb }) => rssMb ?? []));
  const own = { partCores: serverCoresMean, partMemoryMb: serverRssMbMax, ...limitLoad(servers) };
  const readings = [...groupedBy(evidence.probeHost, hostOf).values()].flatMap((one) => spanning(one, window));
  const hosts = hostSummaries({ probes, readings, got, window });
  return {
    samplesExpected: samplesExpected(probes, got, window),
    samplesGot: sum([...got.values()].map(({ ended }) => ended)),
    ...given({
      ...probeHostLoad(readings),
      serverCoresMean,
      serverReadPercent: cores.length > 0 && isUnread ? (100 * cores.length) / seconds : undefined,
      serverRssMbMax,
      ...scrapedLoad(scraped, own),
      serverEgressMbpsMean: totalOfEach(members, ({ readings }) => egressMbps(readings, window)),
      serverEgressDropped: totalOfEach(members, ({ drops }) => drops),
      turnCoresMean: meanCores(turn, window),
      turnUdpDrops: total(countedWithin(turn, window, ({ udpDrops }) => udpDrops)),
      lateMsMax: highest([...got.values()].flatMap(({ endedLateMs }) => endedLateMs ?? [])),
    }),
    ...fullestThread(evidence.server, window),
    ...memberLoads(members, window),
    ...(hosts.length > 0 ? { hosts } : {}),
  };
}

/** Work that goes from thread to thread fills one each second: the mean of each second's fullest, whichever it was. */
function fullestThread(readings: readonly ServerReading[], window: TimeWindow): Pick<LoadSummary, 'serverThread'> {
  const read = spanning(
    readings.filter(({ fullestThread: thread }) => thread !== undefined),
    window,
  );
  const coresMean = meanOver(read, ({ fullestThread: thread }) => thread?.cores);
  const waitedMean = meanOver(read, ({ fullestThread: thread }) => thread?.waitedShare);
  if (coresMean === undefined || waitedMean === undefined) return {};
  const [name, ...others] = new Set(read.map(({ fullestThread: thread }) => thread?.name));
  return {
    serverThread: {
      ...given({ name: others.length > 0 ? undefined : name }),
      coresMean,
      waitedPercent: 100 * waitedMean,
    },
  };
}

interface Member {
  /** Absent: the one server. */
  readonly server?: string;
  readonly readings: readonly (ServerReading | MemberReading)[];
  /** With those before the window. */
  readonly all: readonly (ServerReading | MemberReading)[];
  /** What its up-link dropped. */
  readonly drops: number | undefined;
}

/** Each server of a cluster, or the one server. */
function membersOf(
  readings: readonly ServerReading[],
  all: readonly ServerReading[],
  window: TimeWindow,
): readonly Member[] {
  const [byServer, allOf] = [readings, all].map((some) =>
    groupedBy(
      some.flatMap(({ servers = [] }) => servers),
      ({ server }) => server,
    ),
  );
  if (!byServer?.size) return [{ readings, all, drops: dropsIn(all, window) }];
  return [...byServer].map(([server, own]) => {
    const ever = allOf?.get(server) ?? [];
    return { server, readings: own, all: ever, drops: dropsIn(ever, window) };
  });
}

function memberLoads(members: readonly Member[], window: TimeWindow): Pick<LoadSummary, 'servers'> {
  const servers = members.flatMap(({ server, readings, all, drops }): MemberLoadSummary[] =>
    server === undefined
      ? []
      : [
          {
            server,
            ...given({
              coresMean: meanCores(all, window),
              rssMbMax: highest(readings.flatMap(({ rssMb }) => rssMb ?? [])),
              egressMbpsMean: egressMbps(readings, window),
              egressDropped: drops,
            }),
          },
        ],
  );
  return servers.length === 0 ? {} : { servers };
}

/** A reading tells of the time since the last one that told it. */
function meanCores(
  readings: readonly (ServerReading | MemberReading | TurnReading)[],
  window: TimeWindow,
): number | undefined {
  const read = readings.filter(({ cpuCores }) => cpuCores !== undefined);
  return meanOver(spanning(read, window), ({ cpuCores }) => cpuCores);
}

/** By server, as seconds in which one of them is not read have no sum. What one does not tell is not told of all. */
function totalOfEach(members: readonly Member[], read: (member: Member) => number | undefined): number | undefined {
  const told = members.flatMap((member) => read(member) ?? []);
  return told.length < members.length ? undefined : sum(told);
}

/** Of several hosts the worst: a mean over them would hide the one that was full. */
function probeHostLoad(readings: readonly Spanning<ProbeHostReading>[]) {
  const loads = [...groupedBy(readings, hostOf).values()].map(hostLoadOf);
  const each = (name: keyof HostLoad) => loads.flatMap((load) => load[name] ?? []);
  return {
    probeHostCores: loads.length === 1 ? loads[0]?.cores : undefined,
    probeHostBusyPercentMean: highest(each('busyPercentMean')),
    probeHostBusyPercentMax: highest(each('busyPercentMax')),
    probeCoresMean: total(each('probeCoresMean')),
    probeHostStolenPercentMean: highest(each('stolenPercentMean')),
    throttledPercentMean: highest(each('throttledPercentMean')),
    probeHostMemoryMbMin: lowest(each('memoryMbMin')),
  };
}

/** Each reading counts what left since the one before it, so the first has no length of its own here. */
function egressMbps(readings: Member['readings'], window: TimeWindow): number | undefined {
  const [first, ...rest] = readings.filter(({ egressBytes }) => egressBytes !== undefined);
  const last = rest.at(-1);
  if (!first || !last || last.atMs <= first.atMs || !isMost(last.atMs - first.atMs, window)) return undefined;
  const bytes = sum(rest.map(({ egressBytes = 0 }) => egressBytes));
  return (8 * bytes) / 1e3 / (last.atMs - first.atMs);
}

function dropsIn(readings: Member['readings'], window: TimeWindow): number | undefined {
  const told = readings.filter(({ egressDroppedPackets }) => egressDroppedPackets !== undefined);
  const within = told.filter(({ atMs }) => atMs >= window.startMs && atMs <= window.endMs);
  const [first, last] = [within[0], within.at(-1)];
  if (!first || !last || !isMost(last.atMs - first.atMs, window)) return undefined;
  return total(countedWithin(told, window, ({ egressDroppedPackets }) => egressDroppedPackets));
}

/** What was read of less of a window says nothing of the rest: its server may have fallen silent. */
function isMost(readMs: number, { startMs, endMs }: TimeWindow): boolean {
  const windowMs = endMs - startMs;
  return readMs >= Math.min((readPercentEnough / 100) * windowMs, windowMs - 1000 * fewSeconds);
}

function total(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : sum(values);
}
