import { HighestValues } from './highest-values.js';
import { metricsOf, type StreamReading } from './stream-reading.js';

/** How soon questions were answered. Most streams have none, and keep nothing here. */
export class TurnFold {
  private median: HighestValues | undefined;
  private spread: HighestValues | undefined;

  constructor(
    private readonly percent: number,
    private readonly mostReadings: number,
  ) {}

  add(reading: StreamReading): void {
    const { answerMs } = metricsOf(reading);
    if (answerMs === undefined) return;
    this.median ??= new HighestValues(50, this.mostReadings);
    this.spread ??= new HighestValues(this.percent, this.mostReadings);
    this.median.add(answerMs);
    this.spread.add(answerMs);
  }

  values() {
    return { answerP50Ms: this.median?.percentile(), answerP95Ms: this.spread?.percentile() };
  }
}
