import type { ProbeHostId } from './probe-host.js';

/** Peak and mean of the load of hosts and server over a window; what was never read is absent. */
export interface LoadSummary {
  /** Of several probe hosts the figures are those of the worst, but for `probeCoresMean`, which is of all together. */
  readonly probeHostBusyPercentMean?: number;
  readonly probeHostBusyPercentMax?: number;
  readonly probeCoresMean?: number;
  /** Cores that probes of the one host may run on, where they are fewer than it has; what is busy is of these. */
  readonly probeHostCores?: number;
  /** Taken by a hypervisor. */
  readonly probeHostStolenPercentMean?: number;
  /** Share of the time in which a CPU quota held the browsers back. */
  readonly throttledPercentMean?: number;
  readonly probeHostMemoryMbMin?: number;
  readonly serverCoresMean?: number;
  /** In how much of the window that was read, where many seconds are missing. */
  readonly serverReadPercent?: number;
  readonly serverRssMbMax?: number;
  /** The mean over the window of the thread that was fullest in each second; a name that all of these have. */
  readonly serverThread?: { readonly name?: string; readonly coresMean: number; readonly waitedPercent: number };
  /**
   * What control groups (a container's) allow of CPU and memory, by the source nearest its limit: the server's own
   * readings, or a page of metrics; of each the least that was read.
   */
  readonly serverCpuQuotaCores?: number;
  readonly serverMemoryLimitMb?: number;
  /** Share of the periods of that quota in which it was used up and the server had to wait. */
  readonly serverThrottledPercent?: number;
  /** Of the server's host, where a page of metrics (`--evidence`) tells of it; of several the busiest. */
  readonly serverHostBusyPercentMean?: number;
  /** The part of it that a hypervisor took; absent where that is nothing, or is not told. */
  readonly serverHostStolenPercentMean?: number;
  readonly serverHostCores?: number;
  /** Of several hosts the one with the least left. */
  readonly serverHostMemoryMb?: number;
  readonly serverHostMemoryMbMin?: number;
  /** Of all hosts together; absent where one of them does not tell. */
  readonly serverHostSentMbpsMean?: number;
  /** Of the fullest network device of any of them, in the fuller direction. */
  readonly serverHostLinkPercentMean?: number;
  /** Used of that quota and of that limit, where a page tells them; absent: they are the server's own, as its use is. */
  readonly quotaCoresMean?: number;
  readonly limitMemoryMbMax?: number;
  /** In earlier records: of the part that a page told of, whosever quota and limit stand beside it. */
  readonly scrapedCoresMean?: number;
  readonly scrapedMemoryMbMax?: number;
  /** What left the media server, and what its egress limit dropped (embedded server). */
  readonly serverEgressMbpsMean?: number;
  readonly serverEgressDropped?: number;
  readonly turnCoresMean?: number;
  readonly turnUdpDrops?: number;
  /** Each server of a cluster by itself; absent where there is one server. */
  readonly servers?: readonly MemberLoadSummary[];
  readonly samplesExpected: number;
  readonly samplesGot: number;
  readonly lateMsMax?: number;
  /** Each probe host by itself, in the order of their names; absent where all probes are on the conductor's own. */
  readonly hosts?: readonly HostLoadSummary[];
}

/** One server of a cluster over the window; what was never read is absent. */
export interface MemberLoadSummary {
  readonly server: string;
  readonly coresMean?: number;
  readonly rssMbMax?: number;
  readonly egressMbpsMean?: number;
  readonly egressDropped?: number;
}

/** One probe host over the window; what was never read is absent. */
export interface HostLoadSummary {
  readonly host: ProbeHostId;
  /** Asked of it, and those of them that came up. */
  readonly probes: number;
  readonly probesUp: number;
  /** That its probes may run on, where they are fewer than it has. */
  readonly cores?: number;
  readonly busyPercentMean?: number;
  readonly busyPercentMax?: number;
  /** The browsers' part. */
  readonly probeCoresMean?: number;
  readonly stolenPercentMean?: number;
  readonly stolenPercentMax?: number;
  readonly throttledPercentMean?: number;
  readonly memoryMbMin?: number;
  /** Over its way to others, the fuller direction of each second; of what its interface says that it carries. */
  readonly linkMbpsMean?: number;
  readonly linkPercentMean?: number;
  readonly linkPercentMax?: number;
  readonly samplesExpected: number;
  readonly samplesGot: number;
  /** Of the pages' timers. */
  readonly lateMsMax?: number;
}
