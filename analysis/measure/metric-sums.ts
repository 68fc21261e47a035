import type { StreamMetric } from '../../model/metric.js';
import type { StreamSample } from '../../model/sample.js';
import { type NumberBlocks, offsetOf } from './number-blocks.js';

type Metrics = Readonly<Partial<Record<StreamMetric, number>>>;

/** Sums of one stream's metrics over the seconds so far. What no second has said has no sum: absent is never zero. */
export class MetricSums {
  /** From `start`: for each metric its sum, then its number of seconds, then its milliseconds. */
  private readonly block: Float64Array;
  private readonly start: number;
  private readonly size: number;
  /** Most streams have none. */
  private negative: Set<StreamMetric> | undefined;

  /** @param places what is summed up, each with a number of its own from 0 on; nothing else can be asked for */
  constructor(
    private readonly places: ReadonlyMap<StreamMetric, number>,
    numbers: NumberBlocks,
  ) {
    this.size = places.size;
    const place = numbers.allot(3 * this.size);
    this.block = numbers.blockOf(place);
    this.start = offsetOf(place);
  }

  /** One second; `stream` is absent where getStats did not have it, and nothing came. */
  add(stream: StreamSample | undefined, intervalMs: number): void {
    const { block, start, size } = this;
    if (!stream) {
      for (let at = start + 2 * size; at < start + 3 * size; at += 1) block[at] = (block[at] ?? 0) + intervalMs;
      return;
    }
    const metrics: Metrics = stream.metrics;
    // Of what the sample has, and not of all that it could have: that is half as long.
    for (const key in metrics) {
      const name = key as StreamMetric;
      const value = metrics[name];
      const index = this.places.get(name);
      if (value === undefined || index === undefined) continue;
      const [sum, count, ms] = [start + index, start + size + index, start + 2 * size + index];
      block[sum] = (block[sum] ?? 0) + value;
      block[count] = (block[count] ?? 0) + 1;
      block[ms] = (block[ms] ?? 0) + intervalMs;
      if (value < 0) this.negative = (this.negative ?? new Set()).add(name);
    }
  }

  /** Of a delta; `undefined` when no second has it. */
  total(name: StreamMetric): number | undefined {
    return this.count(name) === 0 ? undefined : this.block[this.start + this.indexOf(name)];
  }

  /** Of a gauge or ratio, over the seconds that have it. */
  mean(name: StreamMetric): number | undefined {
    const total = this.total(name);
    return total === undefined ? undefined : total / this.count(name);
  }

  /** The seconds that have it. */
  count(name: StreamMetric): number {
    return this.block[this.start + this.size + this.indexOf(name)] ?? 0;
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
    return this.block[this.start + 2 * this.size + this.indexOf(name)] ?? 0;
  }

  wasNegative(name: StreamMetric): boolean {
    return this.negative?.has(name) ?? false;
  }

  private indexOf(name: StreamMetric): number {
    const index = this.places.get(name);
    if (index === undefined) throw new Error(`${name} is not summed up for streams of this direction`);
    return index;
  }
}
