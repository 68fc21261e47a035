/** Peak and mean of the load of hosts and server over a window; what was never read is absent. */
export interface LoadSummary {
  /** Of several probe hosts the figures are those of the worst, but for `probeCoresMean`, which is of all together. */
  readonly probeHostBusyPercentMean?: number;
  readonly probeHostBusyPercentMax?: number;
  readonly probeCoresMean?: number;
  /** Taken by a hypervisor. */
  readonly probeHostStolenPercentMean?: number;
  /** Share of the time in which a CPU quota held the browsers back. */
  readonly throttledPercentMean?: number;
  readonly probeHostMemoryMbMin?: number;
  readonly serverCoresMean?: number;
  readonly serverRssMbMax?: number;
  /** What left the media server, and what its egress limit dropped (embedded server). */
  readonly serverEgressMbpsMean?: number;
  readonly serverEgressDropped?: number;
  readonly turnCoresMean?: number;
  readonly turnUdpDrops?: number;
  readonly samplesExpected: number;
  readonly samplesGot: number;
  readonly lateMsMax?: number;
}
