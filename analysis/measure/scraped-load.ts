import type { LimitReading, ScrapedReading } from '../../model/evidence.js';
import type { LoadSummary } from '../../model/load-summary.js';
import { highest, lowest, mean, sum } from '../statistics/statistics.js';

type Named = readonly (readonly [keyof LoadSummary, number | undefined])[];

/** What control groups allowed the server over a window, and in how many periods of its quota it had to wait. */
export function limitLoad(readings: readonly LimitReading[]): Named {
  const counted = readings.filter(({ quotaPeriods }) => quotaPeriods !== undefined);
  const periods = sum(counted.map(({ quotaPeriods = 0 }) => quotaPeriods));
  const throttled = sum(counted.map(({ throttledPeriods = 0 }) => throttledPeriods));
  return [
    ['serverCpuQuotaCores', lowest(readings.flatMap(({ cpuQuotaCores }) => cpuQuotaCores ?? []))],
    ['serverMemoryLimitMb', lowest(readings.flatMap(({ memoryLimitMb }) => memoryLimitMb ?? []))],
    ['serverThrottledPercent', periods > 0 ? (100 * throttled) / periods : undefined],
  ];
}

/** What pages of metrics told of the server's host over a window. */
export function scrapedLoad(readings: readonly ScrapedReading[]): Named {
  const busy = readings.flatMap(({ hostCores, hostBusyCores, hostStolenCores = 0 }) =>
    hostCores === undefined || hostBusyCores === undefined ? [] : (100 * (hostBusyCores + hostStolenCores)) / hostCores,
  );
  return [
    ['serverHostBusyPercentMean', mean(busy)],
    ['serverHostCores', highest(readings.flatMap(({ hostCores }) => hostCores ?? []))],
    ['serverHostMemoryMb', highest(readings.flatMap(({ hostMemoryMb }) => hostMemoryMb ?? []))],
    ['serverHostMemoryMbMin', lowest(readings.flatMap(({ hostMemoryAvailableMb: free }) => free ?? []))],
    [
      'serverHostSentMbpsMean',
      mean(readings.flatMap(({ hostSentKbps: sent }) => (sent === undefined ? [] : sent / 1000))),
    ],
    ['serverHostLinkPercentMean', mean(readings.flatMap(({ hostLinkPercent }) => hostLinkPercent ?? []))],
    ['scrapedCoresMean', mean(readings.flatMap(({ cpuCores }) => cpuCores ?? []))],
    ['scrapedMemoryMbMax', highest(readings.flatMap(({ memoryMb }) => memoryMb ?? []))],
  ];
}
