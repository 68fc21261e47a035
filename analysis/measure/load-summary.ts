import type { Evidence, MemberReading, ProbeHostReading, ServerReading, ThreadReading } from '../../model/evidence.js';
import type { LoadSummary, MemberLoadSummary } from '../../model/load-summary.js';
import { hostOf } from '../../model/probe-host.js';
import type { ProbeRecord } from '../../model/trial.js';
import { hostSummaries } from './host-summaries.js';
import { samplesExpected } from './samples-expected.js';
import { limitLoad, scrapedLoad } from './scraped-load.js';
import { type TrialSamples, talliesIn } from './window.js';

interface LoadInput {
  readonly probes: readonly ProbeRecord[];
  readonly samples: TrialSamples;
  readonly evidence: Evidence;
  readonly window: { readonly startMs: number; readonly endMs: number } | undefined;
}

/** Peak and mean of the hosts' load over the window; what was never read is absent. */
export function loadSummary({ probes, samples, evidence, window }: LoadInput): LoadSummary {
  if (!window) return { samplesExpected: 0, samplesGot: 0 };
  const within = ({ atMs }: { readonly atMs: number }) => atMs > window.startMs && atMs <= window.endMs;
  const got = talliesIn(samples, window);
  const servers = evidence.server.filter(within);
  const turns = (evidence.turn ?? []).filter(within);
  const scraped = (evidence.scraped ?? []).filter(within);
  const named: readonly (readonly [keyof LoadSummary, number | undefined])[] = [
    ...probeHostLoad(evidence.probeHost.filter(within)),
    ['serverCoresMean', mean(servers.flatMap(({ cpuCores }) => cpuCores ?? []))],
    ['serverRssMbMax', highest(servers.flatMap(({ rssMb }) => rssMb ?? []))],
    ...limitLoad(
      servers.some(({ cpuQuotaCores, memoryLimitMb }) => cpuQuotaCores ?? memoryLimitMb) ? servers : scraped,
    ),
    ...scrapedLoad(scraped),
    ['serverEgressMbpsMean', egressMbps(servers)],
    ['serverEgressDropped', total(servers.flatMap(({ egressDroppedPackets }) => egressDroppedPackets ?? []))],
    ['turnCoresMean', mean(turns.flatMap(({ cpuCores }) => cpuCores ?? []))],
    ['turnUdpDrops', total(turns.flatMap(({ udpDrops }) => udpDrops ?? []))],
    ['lateMsMax', highest([...got.values()].flatMap(({ endedLateMs }) => endedLateMs ?? []))],
  ];
  const hosts = hostSummaries({ probes, readings: evidence.probeHost.filter(within), got, window });
  return {
    samplesExpected: samplesExpected(probes, got, window),
    samplesGot: [...got.values()].reduce((sum, { ended }) => sum + ended, 0),
    ...Object.fromEntries(named.filter(([, value]) => value !== undefined)),
    ...fullestThread(servers),
    ...memberLoads(servers),
    ...(hosts.length > 0 ? { hosts } : {}),
  };
}

/** By its mean over all seconds in which threads were read. */
function fullestThread(readings: readonly ServerReading[]): Pick<LoadSummary, 'serverThread'> {
  const seconds = readings.flatMap((reading) => reading.fullestThread ?? []);
  const byThread = new Map<number, ThreadReading[]>();
  for (const one of seconds) byThread.set(one.id, [...(byThread.get(one.id) ?? []), one]);
  const means = [...byThread.values()].map((own) => ({
    name: own[0]?.name,
    coresMean: own.reduce((sum, { cores }) => sum + cores, 0) / seconds.length,
    waitedPercent: (100 * own.reduce((sum, { waitedShare }) => sum + waitedShare, 0)) / own.length,
  }));
  const [fullest] = means.sort((a, b) => b.coresMean - a.coresMean);
  if (!fullest) return {};
  const { name, ...figures } = fullest;
  return { serverThread: { ...(name === undefined ? {} : { name }), ...figures } };
}

/** Each server of a cluster by itself. */
function memberLoads(readings: readonly ServerReading[]): Pick<LoadSummary, 'servers'> {
  const byServer = new Map<string, MemberReading[]>();
  for (const reading of readings.flatMap(({ servers = [] }) => servers)) {
    byServer.set(reading.server, [...(byServer.get(reading.server) ?? []), reading]);
  }
  const servers = [...byServer].map(([server, own]): MemberLoadSummary => {
    const named: readonly (readonly [keyof MemberLoadSummary, number | undefined])[] = [
      ['coresMean', mean(own.flatMap(({ cpuCores }) => cpuCores ?? []))],
      ['rssMbMax', highest(own.flatMap(({ rssMb }) => rssMb ?? []))],
      ['egressMbpsMean', egressMbps(own)],
      ['egressDropped', total(own.flatMap(({ egressDroppedPackets }) => egressDroppedPackets ?? []))],
    ];
    return { server, ...Object.fromEntries(named.filter(([, value]) => value !== undefined)) };
  });
  return servers.length === 0 ? {} : { servers };
}

/** Of several hosts the worst: a mean over them would hide the one that was full. */
function probeHostLoad(readings: readonly ProbeHostReading[]): [keyof LoadSummary, number | undefined][] {
  const byHost = new Map<string, ProbeHostReading[]>();
  for (const reading of readings) byHost.set(hostOf(reading), [...(byHost.get(hostOf(reading)) ?? []), reading]);
  const each = (value: (own: readonly ProbeHostReading[]) => number | undefined) =>
    [...byHost.values()].flatMap((own) => value(own) ?? []);
  const busyPercents = (own: readonly ProbeHostReading[]) =>
    own.map(({ busyCores, cores }) => (100 * busyCores) / cores);
  return [
    ['probeHostBusyPercentMean', highest(each((own) => mean(busyPercents(own))))],
    ['probeHostBusyPercentMax', highest(each((own) => highest(busyPercents(own))))],
    ['probeCoresMean', total(each((own) => mean(own.map(({ probeCores }) => probeCores))))],
    [
      'probeHostStolenPercentMean',
      highest(each((own) => mean(own.map(({ stealCores, cores }) => (100 * stealCores) / cores)))),
    ],
    [
      'throttledPercentMean',
      highest(
        each((own) => mean(own.flatMap(({ throttledShare: share }) => (share === undefined ? [] : 100 * share)))),
      ),
    ],
    ['probeHostMemoryMbMin', lowest(readings.map(({ memoryAvailableMb }) => memoryAvailableMb))],
  ];
}

/** Each reading counts what left since the one before it, so the first has no length of its own here. */
function egressMbps(readings: readonly ServerReading[]): number | undefined {
  const [first, ...rest] = readings.filter(({ egressBytes }) => egressBytes !== undefined);
  const last = rest.at(-1);
  if (!first || !last || last.atMs <= first.atMs) return undefined;
  const bytes = rest.reduce((sum, { egressBytes }) => sum + (egressBytes ?? 0), 0);
  return (8 * bytes) / 1e3 / (last.atMs - first.atMs);
}

function total(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
}

function mean(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((total, value) => total + value, 0) / values.length;
}

function lowest(values: readonly number[]): number | undefined {
  return values.reduce<number | undefined>((least, value) => Math.min(least ?? value, value), undefined);
}

function highest(values: readonly number[]): number | undefined {
  return values.reduce<number | undefined>((most, value) => Math.max(most ?? value, value), undefined);
}
