import type { Evidence, LimitReading, ProbeHostReading, ScrapedReading, ServerReading } from '../../model/evidence.js';
import { given } from '../../model/given.js';
import { groupedBy } from '../../model/grouped.js';
import type { LoadSummary, MemberLoadSummary } from '../../model/load-summary.js';
import { hostOf } from '../../model/probe-host.js';
import type { ProbeRecord } from '../../model/trial.js';
import { highest, lowest, mean, sum } from '../statistics/statistics.js';
import { type HostLoad, hostLoadOf, hostSummaries, samplesExpected } from './host-summaries.js';
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
  const limited = servers.some(({ cpuQuotaCores, memoryLimitMb }) => cpuQuotaCores ?? memoryLimitMb);
  const hosts = hostSummaries({ probes, readings: evidence.probeHost.filter(within), got, window });
  return {
    samplesExpected: samplesExpected(probes, got, window),
    samplesGot: sum([...got.values()].map(({ ended }) => ended)),
    ...given({
      ...probeHostLoad(evidence.probeHost.filter(within)),
      serverCoresMean: mean(servers.flatMap(({ cpuCores }) => cpuCores ?? [])),
      serverRssMbMax: highest(servers.flatMap(({ rssMb }) => rssMb ?? [])),
      ...limitLoad(limited ? servers : scraped),
      ...scrapedLoad(scraped),
      serverEgressMbpsMean: egressMbps(servers),
      serverEgressDropped: total(servers.flatMap(({ egressDroppedPackets }) => egressDroppedPackets ?? [])),
      turnCoresMean: mean(turns.flatMap(({ cpuCores }) => cpuCores ?? [])),
      turnUdpDrops: total(turns.flatMap(({ udpDrops }) => udpDrops ?? [])),
      lateMsMax: highest([...got.values()].flatMap(({ endedLateMs }) => endedLateMs ?? [])),
    }),
    ...fullestThread(servers),
    ...memberLoads(servers),
    ...(hosts.length > 0 ? { hosts } : {}),
  };
}

/** By its mean over all seconds in which threads were read. */
function fullestThread(readings: readonly ServerReading[]): Pick<LoadSummary, 'serverThread'> {
  const seconds = readings.flatMap((reading) => reading.fullestThread ?? []);
  const means = [...groupedBy(seconds, ({ id }) => id).values()].map((own) => ({
    name: own[0]?.name,
    coresMean: sum(own.map(({ cores }) => cores)) / seconds.length,
    waitedPercent: (100 * sum(own.map(({ waitedShare }) => waitedShare))) / own.length,
  }));
  const [fullest] = means.sort((a, b) => b.coresMean - a.coresMean);
  if (!fullest) return {};
  const { name, ...figures } = fullest;
  return { serverThread: { ...given({ name }), ...figures } };
}

function memberLoads(readings: readonly ServerReading[]): Pick<LoadSummary, 'servers'> {
  const byServer = groupedBy(
    readings.flatMap(({ servers = [] }) => servers),
    ({ server }) => server,
  );
  const servers = [...byServer].map(
    ([server, own]): MemberLoadSummary => ({
      server,
      ...given({
        coresMean: mean(own.flatMap(({ cpuCores }) => cpuCores ?? [])),
        rssMbMax: highest(own.flatMap(({ rssMb }) => rssMb ?? [])),
        egressMbpsMean: egressMbps(own),
        egressDropped: total(own.flatMap(({ egressDroppedPackets }) => egressDroppedPackets ?? [])),
      }),
    }),
  );
  return servers.length === 0 ? {} : { servers };
}

/** Of several hosts the worst: a mean over them would hide the one that was full. */
function probeHostLoad(readings: readonly ProbeHostReading[]) {
  const loads = [...groupedBy(readings, hostOf).values()].map(hostLoadOf);
  const each = (name: keyof HostLoad) => loads.flatMap((load) => load[name] ?? []);
  return {
    probeHostBusyPercentMean: highest(each('busyPercentMean')),
    probeHostBusyPercentMax: highest(each('busyPercentMax')),
    probeCoresMean: total(each('probeCoresMean')),
    probeHostStolenPercentMean: highest(each('stolenPercentMean')),
    throttledPercentMean: highest(each('throttledPercentMean')),
    probeHostMemoryMbMin: lowest(each('memoryMbMin')),
  };
}

/** Each reading counts what left since the one before it, so the first has no length of its own here. */
function egressMbps(readings: readonly ServerReading[]): number | undefined {
  const [first, ...rest] = readings.filter(({ egressBytes }) => egressBytes !== undefined);
  const last = rest.at(-1);
  if (!first || !last || last.atMs <= first.atMs) return undefined;
  const bytes = sum(rest.map(({ egressBytes = 0 }) => egressBytes));
  return (8 * bytes) / 1e3 / (last.atMs - first.atMs);
}

function total(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : sum(values);
}

/** What control groups allowed the server over a window, and in how many periods of its quota it had to wait. */
export function limitLoad(readings: readonly LimitReading[]) {
  const counted = readings.filter(({ quotaPeriods }) => quotaPeriods !== undefined);
  const periods = sum(counted.map(({ quotaPeriods = 0 }) => quotaPeriods));
  const throttled = sum(counted.map(({ throttledPeriods = 0 }) => throttledPeriods));
  return {
    serverCpuQuotaCores: lowest(readings.flatMap(({ cpuQuotaCores }) => cpuQuotaCores ?? [])),
    serverMemoryLimitMb: lowest(readings.flatMap(({ memoryLimitMb }) => memoryLimitMb ?? [])),
    serverThrottledPercent: periods > 0 ? (100 * throttled) / periods : undefined,
  };
}

/** What pages of metrics told of the server's host over a window. */
export function scrapedLoad(readings: readonly ScrapedReading[]) {
  const busy = readings.flatMap(({ hostCores, hostBusyCores, hostStolenCores = 0 }) =>
    hostCores === undefined || hostBusyCores === undefined ? [] : (100 * (hostBusyCores + hostStolenCores)) / hostCores,
  );
  return {
    serverHostBusyPercentMean: mean(busy),
    serverHostCores: highest(readings.flatMap(({ hostCores }) => hostCores ?? [])),
    serverHostMemoryMb: highest(readings.flatMap(({ hostMemoryMb }) => hostMemoryMb ?? [])),
    serverHostMemoryMbMin: lowest(readings.flatMap(({ hostMemoryAvailableMb: free }) => free ?? [])),
    serverHostSentMbpsMean: mean(readings.flatMap(({ hostSentKbps: sent }) => (sent === undefined ? [] : sent / 1000))),
    serverHostLinkPercentMean: mean(readings.flatMap(({ hostLinkPercent }) => hostLinkPercent ?? [])),
    scrapedCoresMean: mean(readings.flatMap(({ cpuCores }) => cpuCores ?? [])),
    scrapedMemoryMbMax: highest(readings.flatMap(({ memoryMb }) => memoryMb ?? [])),
  };
}
