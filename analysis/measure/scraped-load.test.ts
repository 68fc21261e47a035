import { expect, test } from '@playwright/test';
import type { ScrapedReading } from '../../model/evidence.js';
import { scrapedLoad } from './scraped-load.js';

/** Two looks at a page. */
const page = (source: string, values: Partial<ScrapedReading>): ScrapedReading[] =>
  [1000, 2000].map((atMs) => ({ atMs, source, ...values }));

const full = page('http://a:9100/metrics', {
  ...{ hostCores: 16, hostBusyCores: 15.8, hostMemoryMb: 32_000, hostMemoryAvailableMb: 20_000 },
  ...{ hostSentKbps: 800_000, hostLinkPercent: 80 },
});
const idle = page('http://b:9100/metrics', {
  ...{ hostCores: 32, hostBusyCores: 8, hostMemoryMb: 4000, hostMemoryAvailableMb: 200 },
  ...{ hostSentKbps: 400_000, hostLinkPercent: 40 },
});

test('of several hosts the fullest is told with what it has, and what they sent is added up', () => {
  for (const readings of [
    [...full, ...idle],
    [...idle, ...full],
  ])
    expect(scrapedLoad(readings)).toMatchObject({
      serverHostBusyPercentMean: 98.75,
      serverHostCores: 16,
      serverHostLinkPercentMean: 80,
      serverHostSentMbpsMean: 1200,
      serverHostMemoryMb: 4000,
      serverHostMemoryMbMin: 200,
    });
});

test('what a hypervisor took of the busiest host is told beside what was in use', () => {
  const taken = page('http://c:9100/metrics', { hostCores: 4, hostBusyCores: 2, hostStolenCores: 1.9 });
  const load = scrapedLoad([...taken, ...idle]);
  expect(load).toMatchObject({ serverHostBusyPercentMean: 97.5, serverHostStolenPercentMean: 47.5 });
  expect(scrapedLoad(full).serverHostStolenPercentMean).toBeUndefined();
});

test('what all hosts sent is not known where one of them does not tell, and a page of a part adds nothing', () => {
  const part = page('http://a:8080/metrics', { part: 'container media', cpuCores: 3 });
  expect(scrapedLoad([...full, ...part])).toMatchObject({ serverHostSentMbpsMean: 800 });
  const silent = [
    page('http://b:9100/metrics', { failure: 'refused' }),
    page('http://b:9100/', { hostMemoryMb: 4000 }),
  ];
  for (const readings of silent) expect(scrapedLoad([...full, ...readings]).serverHostSentMbpsMean).toBeUndefined();
});

test('a quota and a memory limit are told with what their own container used of them', () => {
  const small = page('http://a:8080/metrics', {
    ...{ cpuCores: 1, cpuQuotaCores: 2, quotaPeriods: 10, throttledPeriods: 4, memoryMb: 500, memoryLimitMb: 1000 },
  });
  const large = page('http://b:8080/metrics', {
    ...{ cpuCores: 6, cpuQuotaCores: 8, quotaPeriods: 90, throttledPeriods: 0, memoryMb: 3900, memoryLimitMb: 4000 },
  });
  expect(scrapedLoad([...large, ...small])).toMatchObject({
    ...{ serverCpuQuotaCores: 2, serverThrottledPercent: 40, quotaCoresMean: 1 },
    ...{ serverMemoryLimitMb: 4000, limitMemoryMbMax: 3900 },
  });
});

test('a limit is told with what its own source used of it, be that a page or the server by its own readings', () => {
  const beside = page('http://a:8080/metrics', {
    ...{ cpuCores: 0.4, cpuQuotaCores: 0.5, quotaPeriods: 10, throttledPeriods: 2, memoryMb: 500, memoryLimitMb: 1000 },
  });
  const own = (throttled: number, limitMb: number) => ({
    ...{ partCores: 3, serverCpuQuotaCores: 4, serverThrottledPercent: throttled },
    ...{ partMemoryMb: 980, serverMemoryLimitMb: limitMb },
  });
  expect(scrapedLoad(beside, own(10, 4000))).toMatchObject({
    ...{ serverCpuQuotaCores: 0.5, serverThrottledPercent: 20, quotaCoresMean: 0.4 },
    ...{ serverMemoryLimitMb: 1000, limitMemoryMbMax: 500 },
  });
  const nearest = scrapedLoad(beside, own(30, 1024));
  expect(nearest).toMatchObject({ serverCpuQuotaCores: 4, serverThrottledPercent: 30, serverMemoryLimitMb: 1024 });
  expect([nearest.quotaCoresMean, nearest.limitMemoryMbMax]).toEqual([undefined, undefined]);
  // The server is read, and its limits are not: those of a page are not its own.
  const unlimited = scrapedLoad(beside, { partCores: 3, partMemoryMb: 980 });
  expect(unlimited).toMatchObject({ quotaCoresMean: 0.4, limitMemoryMbMax: 500 });
});
