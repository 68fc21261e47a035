import type { TimeCounts } from '../../model/arrivals.js';
import { given } from '../../model/given.js';
import { highest, lowest, sum } from '../statistics/statistics.js';

/** Of a value that is told of a bucket, as a share: at most one in a hundred. */
const histogramError = 0.01;
/** Each bucket ends at so many times its beginning: then its middle is off by the error at most, at either end. */
const growth = (1 + histogramError) / (1 - histogramError);
/** Below, times are not told apart: a tenth of what a clock of Node tells of milliseconds would mean. */
const leastMs = 0.1;

/**
 * Times in buckets that grow with them, so that any percentile is known to one in a hundred however many there are, in
 * memory that grows with the span of the times and not with their number.
 */
class TimeHistogram {
  private readonly buckets = new Map<number, number>();
  private count = 0;
  private sumMs = 0;
  private minMs = Number.POSITIVE_INFINITY;
  private maxMs = Number.NEGATIVE_INFINITY;

  add(ms: number): void {
    const time = Math.max(0, ms);
    const bucket = time <= leastMs ? 0 : Math.ceil(Math.log(time / leastMs) / Math.log(growth));
    this.buckets.set(bucket, (this.buckets.get(bucket) ?? 0) + 1);
    this.count += 1;
    this.sumMs += time;
    this.minMs = Math.min(this.minMs, time);
    this.maxMs = Math.max(this.maxMs, time);
  }

  counts(): TimeCounts {
    const { count, sumMs, minMs, maxMs } = this;
    const buckets = [...this.buckets].sort(([a], [b]) => a - b);
    return { count, sumMs, ...(count === 0 ? {} : { minMs, maxMs }), buckets };
  }
}

export function countsOf(times: Iterable<number>): TimeCounts {
  const histogram = new TimeHistogram();
  for (const ms of times) histogram.add(ms);
  return histogram.counts();
}

/** The nearest-rank percentile, off by `histogramError` at most; undefined when there is nothing to tell of. */
export function percentileOf(counts: TimeCounts | undefined, percent: number): number | undefined {
  if (!counts?.count) return undefined;
  const { count, minMs = 0, maxMs = 0, buckets } = counts;
  const rank = Math.max(1, Math.ceil((percent / 100) * count));
  if (rank === count) return maxMs;
  let seen = 0;
  for (const [bucket, inIt] of buckets) {
    seen += inIt;
    if (seen >= rank) return Math.min(maxMs, Math.max(minMs, middleOf(bucket)));
  }
  return maxMs;
}

export function meanOf(counts: TimeCounts | undefined): number | undefined {
  return counts?.count ? counts.sumMs / counts.count : undefined;
}

/** As far from the beginning of the bucket as from its end, each as a share of itself. */
function middleOf(bucket: number): number {
  return bucket === 0 ? leastMs : (leastMs * 2 * growth ** bucket) / (growth + 1);
}

/** Those of several trials together: buckets are the same everywhere, so nothing is lost by it. */
export function mergedCounts(all: readonly TimeCounts[]): TimeCounts {
  const buckets = new Map<number, number>();
  for (const [bucket, inIt] of all.flatMap((one) => one.buckets))
    buckets.set(bucket, (buckets.get(bucket) ?? 0) + inIt);
  const [minMs, maxMs] = [
    lowest(all.flatMap((one) => one.minMs ?? [])),
    highest(all.flatMap((one) => one.maxMs ?? [])),
  ];
  return {
    count: sum(all.map(({ count }) => count)),
    sumMs: sum(all.map(({ sumMs }) => sumMs)),
    ...given({ minMs, maxMs }),
    buckets: [...buckets].sort(([a], [b]) => a - b),
  };
}
