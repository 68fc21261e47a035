import type { LimitReading, ScrapedReading } from '../../model/evidence.js';
import { groupedBy } from '../../model/grouped.js';
import { highest, lowest, sum } from '../statistics/statistics.js';
import { meanOver } from './over-time.js';

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

/**
 * What pages of metrics told of the server's hosts over a window. Each page is of a host of its own, or of a part of
 * one. A mean over several would hide the one that was full, so the fullest is told; what they sent is added up. Of
 * control groups the one nearest its limit is told, with what was used of that limit and not of another's.
 *
 * @param own the server by its own readings
 */
export function scrapedLoad(readings: readonly ScrapedReading[], own: Partial<PartLoad> = {}) {
  const pages = [...groupedBy(readings, ({ source }) => source).values()].map(pageLoad);
  const busiest = fullest(pages, ({ busyPercent }) => busyPercent);
  const leastFree = fullest(pages, ({ memoryMbMin }) => opposite(memoryMbMin));
  const parts: readonly Partial<PartLoad>[] = [own, ...pages.filter(({ partCores }) => partCores !== undefined)];
  const heldBack = fullest(
    parts,
    ({ serverThrottledPercent }) => serverThrottledPercent,
    ({ partCores, serverCpuQuotaCores }) => percentOf(serverCpuQuotaCores, partCores),
  );
  const largest = fullest([own, ...pages], ({ partMemoryMb, serverMemoryLimitMb }) =>
    percentOf(serverMemoryLimitMb, partMemoryMb),
  );
  return {
    serverHostBusyPercentMean: busiest?.busyPercent,
    serverHostStolenPercentMean: busiest?.stolenPercent || undefined,
    serverHostCores: busiest?.cores,
    serverHostMemoryMb: leastFree?.memoryMb,
    serverHostMemoryMbMin: leastFree?.memoryMbMin,
    serverHostSentMbpsMean: sentByAll(pages),
    serverHostLinkPercentMean: highest(pages.flatMap(({ linkPercent }) => linkPercent ?? [])),
    serverCpuQuotaCores: heldBack?.serverCpuQuotaCores,
    serverThrottledPercent: heldBack?.serverThrottledPercent,
    quotaCoresMean: heldBack === own ? undefined : heldBack?.partCores,
    serverMemoryLimitMb: largest?.serverMemoryLimitMb,
    limitMemoryMbMax: largest === own ? undefined : largest?.partMemoryMb,
  };
}

type PageLoad = ReturnType<typeof pageLoad>;
type PartLoad = Pick<PageLoad, 'partCores' | 'partMemoryMb' | keyof ReturnType<typeof limitLoad>>;

function pageLoad(readings: readonly ScrapedReading[]) {
  return {
    isGap: readings.every(({ failure }) => failure !== undefined),
    busyPercent: meanOver(readings, ({ hostCores, hostBusyCores, hostStolenCores = 0 }) =>
      hostBusyCores === undefined ? undefined : percentOf(hostCores, hostBusyCores + hostStolenCores),
    ),
    stolenPercent: meanOver(readings, ({ hostCores, hostStolenCores }) => percentOf(hostCores, hostStolenCores)),
    cores: highest(readings.flatMap(({ hostCores }) => hostCores ?? [])),
    memoryMb: highest(readings.flatMap(({ hostMemoryMb }) => hostMemoryMb ?? [])),
    memoryMbMin: lowest(readings.flatMap(({ hostMemoryAvailableMb }) => hostMemoryAvailableMb ?? [])),
    sentMbps: meanOver(readings, ({ hostSentKbps }) => hostSentKbps && hostSentKbps / 1000),
    linkPercent: meanOver(readings, ({ hostLinkPercent }) => hostLinkPercent),
    partCores: meanOver(readings, ({ cpuCores }) => cpuCores),
    partMemoryMb: highest(readings.flatMap(({ memoryMb }) => memoryMb ?? [])),
    ...limitLoad(readings),
  };
}

/** A host whose traffic is not told makes the sum one of something else. */
function sentByAll(pages: readonly PageLoad[]): number | undefined {
  const sent = pages.flatMap(({ sentMbps }) => sentMbps ?? []);
  const isOfHost = ({ busyPercent, memoryMb }: PageLoad) => (busyPercent ?? memoryMb) !== undefined;
  const isUntold = pages.some((page) => page.sentMbps === undefined && (page.isGap || isOfHost(page)));
  return sent.length === 0 || isUntold ? undefined : sum(sent);
}

/** The one with the most by the first of these measures that any of them has. */
function fullest<Load>(
  pages: readonly Load[],
  ...measures: readonly ((page: Load) => number | undefined)[]
): Load | undefined {
  const ranked = measures.map((measure) =>
    pages
      .flatMap((page) => {
        const value = measure(page);
        return value === undefined ? [] : { page, value };
      })
      .sort((a, b) => b.value - a.value),
  );
  return ranked.find(({ length }) => length > 0)?.[0]?.page;
}

function percentOf(limit: number | undefined, used: number | undefined): number | undefined {
  return used === undefined || !limit ? undefined : (100 * used) / limit;
}

function opposite(value: number | undefined): number | undefined {
  return value === undefined ? undefined : -value;
}
