import { HighestValues } from './highest-values.js';
import { RiseFold } from './rise-fold.js';
import { metricOf, type StreamReading } from './stream-reading.js';

/** What marks say of a received stream, second by second. Most streams have none, and keep nothing here. */
export class MarkFold {
  private readonly percent: number;
  private readonly mostReadings: number;
  /** The means of the seconds, and how they rise. */
  private delays: HighestValues | undefined;
  private rise: RiseFold | undefined;
  private longestMs: number | undefined;
  /** Of pictures: how far the delay of their sound is from theirs, either way. */
  private syncs: HighestValues | undefined;
  /** Who came last in place of the expected sender. */
  foreignSender: number | undefined;

  constructor(percent: number, mostReadings: number) {
    this.percent = percent;
    this.mostReadings = mostReadings;
  }

  add(reading: StreamReading): void {
    const delayMs = metricOf(reading, 'delayMs');
    if (delayMs !== undefined) {
      this.delays ??= new HighestValues(this.percent, this.mostReadings);
      this.rise ??= new RiseFold();
      this.delays.add(delayMs);
      this.rise.add(delayMs);
    }
    const laterMs = metricOf(reading, 'soundLaterMs');
    if (laterMs !== undefined) {
      this.syncs ??= new HighestValues(this.percent, this.mostReadings);
      this.syncs.add(Math.abs(laterMs));
    }
    const longestMs = metricOf(reading, 'delayMaxMs');
    if (longestMs !== undefined) this.longestMs = Math.max(longestMs, this.longestMs ?? longestMs);
    const { stream } = reading;
    if (stream?.direction === 'receive') this.foreignSender = stream.foreignSender ?? this.foreignSender;
  }

  values() {
    return {
      delayP95Ms: this.delays?.percentileOfSeveral(),
      delayMaxMs: this.longestMs,
      delayRiseMs: this.rise?.ms(),
      syncP95Ms: this.syncs?.percentileOfSeveral(),
    };
  }
}
