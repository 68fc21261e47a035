import type { StreamMetric } from '../../model/metric.js';
import type { StreamSample } from '../../model/sample.js';

type Metrics = Readonly<Partial<Record<StreamMetric, number>>>;

/** Sums of one stream's metrics over the seconds so far. What no second has said has no sum: absent is never zero. */
export class MetricSums {
  private readonly sums: number[];
  private readonly counts: number[];
  private readonly ms: number[];
  /** Most streams have none. */
  private negative: Set<StreamMetric> | undefined;

  /** @param places what is summed up, each with a number of its own from 0 on; nothing else can be asked for */
  constructor(private readonly places: ReadonlyMap<StreamMetric, number>) {
    this.sums = new Array<number>(places.size).fill(0);
    this.counts = new Array<number>(places.size).fill(0);
    this.ms = new Array<number>(places.size).fill(0);
  }

  /** One second; `stream` is absent where getStats did not have it, and nothing came. */
  add(stream: StreamSample | undefined, intervalMs: number): void {
    const { sums, counts, ms } = this;
    if (!stream) {
      for (let index = 0; index < ms.length; index += 1) ms[index] = (ms[index] ?? 0) + intervalMs;
      return;
    }
    const metrics: Metrics = stream.metrics;
    // Of what the sample has, and not of all that it could have: that is half as long.
    for (const key in metrics) {
      const name = key as StreamMetric;
      const value = metrics[name];
      const index = this.places.get(name);
      if (value === undefined || index === undefined) continue;
      sums[index] = (sums[index] ?? 0) + value;
      counts[index] = (counts[index] ?? 0) + 1;
      ms[index] = (ms[index] ?? 0) + intervalMs;
      if (value < 0) this.negative = (this.negative ?? new Set()).add(name);
    }
  }

  /** Of a delta; `undefined` when no second has it. */
  total(name: StreamMetric): number | undefined {
    const index = this.indexOf(name);
    return this.count(name) === 0 ? undefined : this.sums[index];
  }

  /** Of a gauge or ratio, over the seconds that have it. */
  mean(name: StreamMetric): number | undefined {
    const total = this.total(name);
    return total === undefined ? undefined : total / this.count(name);
  }

  /** The seconds that have it. */
  count(name: StreamMetric): number {
    return this.counts[this.indexOf(name)] ?? 0;
  }

  /**
   * A delta per second. Seconds in which the metric is absent from the stream are left out of the time, too; seconds
   * in which the stream itself is absent are time in which nothing came.
   */
  perSecond(name: StreamMetric): number | undefined {
    const total = this.total(name);
    const ms = this.countedMs(name);
    return total === undefined || ms <= 0 ? undefined : (total * 1000) / ms;
  }

  /** The time over which a delta is counted, milliseconds. */
  countedMs(name: StreamMetric): number {
    return this.ms[this.indexOf(name)] ?? 0;
  }

  /** Whether it was below zero in some second. */
  wasNegative(name: StreamMetric): boolean {
    return this.negative?.has(name) ?? false;
  }

  private indexOf(name: StreamMetric): number {
    const index = this.places.get(name);
    if (index === undefined) throw new Error(`${name} is not summed up for streams of this direction`);
    return index;
  }
}
