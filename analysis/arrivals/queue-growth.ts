import { chanceOfSignedRanks } from '../statistics/permutation.js';
import { median } from '../statistics/statistics.js';

/** The window in so many parts of the same length: thirteen steps from one to the next show one in 8192. */
const parts = 14;
/**
 * Chosen. Steps of a queue that is held turn back, so that far fewer are called growing: docs/lab/arrivals.md.
 */
const chanceMax = 0.001;
/** Chosen: half a second more within ten minutes. Whatever grows more slowly may be something else that settles. */
const leastMsPerSecond = 1;
/** Timers of whole milliseconds on a busy host cannot tell less apart. */
const leastRiseMs = 20;

interface Waited {
  readonly dueMs: number;
  readonly waitMs: number;
}

/** The middle wait of those due in each part of the window; none at all where nobody was due in some part. */
export function waitsInParts(
  joins: readonly Waited[],
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
): number[] {
  const inPart = Array.from({ length: parts }, (): number[] => []);
  for (const { dueMs, waitMs } of joins)
    inPart[Math.floor((parts * (dueMs - startMs)) / (endMs - startMs))]?.push(waitMs);
  const waits = inPart.flatMap((part) => median(part) ?? []);
  return waits.length < parts ? [] : waits.map((ms) => Math.round(100 * ms) / 100);
}

interface QueueGrowth {
  readonly fromMs: number;
  readonly toMs: number;
  /** Of waiting, for each second of the window: the middle of the slopes of all pairs (Theil-Sen). */
  readonly msPerSecond: number;
  /** Of steps like these where no queue grows: Wilcoxon's signed-rank test of the steps from part to part, exact. */
  readonly chance: number;
}

/**
 * A queue that grows for as long as people come at this rate, however short it still is; undefined where none is shown.
 * A queue that is held is a random walk that turns back, and so are its steps; a test of the waits themselves would
 * take its way for a trend.
 */
export function queueGrowth(waitsMs: readonly number[], windowMs: number): QueueGrowth | undefined {
  const [fromMs, toMs] = [waitsMs[0], waitsMs.at(-1)];
  if (waitsMs.length < parts || fromMs === undefined || toMs === undefined) return undefined;
  const partS = windowMs / 1000 / waitsMs.length;
  const slopes = waitsMs.flatMap((from, at) => waitsMs.slice(at + 1).map((to, step) => (to - from) / (step + 1)));
  const msPerSecond = (median(slopes) ?? 0) / partS;
  if (msPerSecond < leastMsPerSecond || (msPerSecond * windowMs) / 1000 < leastRiseMs) return undefined;
  const chance = chanceOfSignedRanks(waitsMs.slice(1).map((wait, index) => wait - (waitsMs[index] ?? 0)));
  return chance > chanceMax ? undefined : { fromMs, toMs, msPerSecond, chance };
}

/**
 * The slowest growth, ms a second, that would have been found had it come on top of waits like these. A rate that is
 * one in a hundred above what the server takes on makes 10 ms a second.
 */
export function leastVisibleGrowth(waitsMs: readonly number[], windowMs: number): number {
  const partS = windowMs / 1000 / waitsMs.length;
  const isSeen = (msPerSecond: number) =>
    queueGrowth(
      waitsMs.map((wait, nth) => wait + msPerSecond * partS * nth),
      windowMs,
    ) !== undefined;
  let [low, high] = [0, leastMsPerSecond];
  while (!isSeen(high) && high < 1e6) [low, high] = [high, 2 * high];
  for (let round = 0; round < 12; round += 1) {
    const middle = (low + high) / 2;
    if (isSeen(middle)) high = middle;
    else low = middle;
  }
  return high;
}
