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

  /** @param names what is summed up; nothing else can be asked for */
  constructor(private readonly names: readonly StreamMetric[]) {
    this.sums = names.map(() => 0);
    this.counts = names.map(() => 0);
    this.ms = names.map(() => 0);
  }

  /** One second; `stream` is absent where getStats did not have it, and nothing came. */
  add(stream: StreamSample | undefined, intervalMs: number): void {
    const metrics: Metrics | undefined = stream?.metrics;
    const { names, sums, counts, ms } = this;
    for (let index = 0; index < names.length; index += 1) {
      const name = names[index];
      const value = name && metrics?.[name];
      if (value === undefined) {
        if (!stream) ms[index] = (ms[index] ?? 0) + intervalMs;
        continue;
      }
      sums[index] = (sums[index] ?? 0) + value;
      counts[index] = (counts[index] ?? 0) + 1;
      ms[index] = (ms[index] ?? 0) + intervalMs;
      if (value < 0 && name) this.negative = (this.negative ?? new Set()).add(name);
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
    const index = this.names.indexOf(name);
    if (index < 0) throw new Error(`${name} is not summed up for streams of this direction`);
    return index;
  }
}
