import type { RunEntry } from '../../model/monitor.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A run is of an earlier day when it began at least so long before. */
const earlierMs = dayMs / 2;
/** How far from the time of day, at most: first the nearest, and further where there are too few. */
const reachesMs = [hourMs, 3 * hourMs] as const;

export interface Comparable {
  readonly runs: readonly RunEntry[];
  /** "at this time of day (± 1 h)", or "at all times of day". */
  readonly when: string;
}

/**
 * The last runs that a run at this time may be compared with. They are of the same time of day on earlier days, because
 * load, neighbours and networks follow the day. Where those are too few, they are the last at all.
 */
export function atTimeOfDay(
  good: readonly RunEntry[],
  atMs: number,
  { enough, most }: { readonly enough: number; readonly most: number },
): Comparable {
  const earlier = good.filter(({ startedAtMs }) => atMs - startedAtMs >= earlierMs);
  for (const reachMs of reachesMs) {
    const near = earlier.filter(({ startedAtMs }) => apartMs(startedAtMs, atMs) <= reachMs);
    if (near.length >= enough)
      return { runs: near.slice(-most), when: `at this time of day (± ${reachMs / hourMs} h)` };
  }
  return { runs: good.slice(-most), when: 'at all times of day' };
}

/** Between two times of a day, at most 12 h. */
function apartMs(a: number, b: number): number {
  const after = Math.abs(a - b) % dayMs;
  return Math.min(after, dayMs - after);
}
