/** Times of all CPUs of a host together and of its clock, in one unit. */
interface CpuTimes {
  /** Waiting for a disk is idle. */
  readonly idle: number;
  /** Taken by a hypervisor. */
  readonly stolen: number;
  readonly elapsed: number;
}

/** Clamped to 0 … cores: a count may be off by the resolution of its clock. */
export function coresAtMost(cores: number, used: number): number {
  return Math.min(cores, Math.max(0, used));
}

/**
 * What the CPUs of a host did, in cores. Busy is what was neither idle nor stolen, by the clock: idle time is told to
 * the microsecond, while work is counted where a tick meets it, and on a host that is woken often for a moment a third
 * of it was met by none.
 */
export function cpuUse(cores: number, { idle, stolen, elapsed }: CpuTimes) {
  const stolenCores = coresAtMost(cores, stolen / elapsed);
  const busyCores = coresAtMost(cores, cores - coresAtMost(cores, idle / elapsed) - stolenCores);
  return { busyCores, stolenCores };
}
