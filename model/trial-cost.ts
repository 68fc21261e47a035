/** How a threshold fared, by its identity: 0 is as good as can be, 100 is at its limit, more is beyond it. */
export interface Margin {
  readonly threshold: string;
  readonly label: string;
  readonly usedPercent: number;
}

/** What carrying a trial's load took. The same load costs a server that stays as it is about the same each time. */
export interface TrialCost {
  readonly serverCores?: number;
  readonly serverMemoryMb?: number;
  /** Until the first frame, the middle one of the probes. */
  readonly firstFrameMs?: number;
}
