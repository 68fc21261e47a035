import { HighestValues } from './highest-values.js';
import { metricsOf, type StreamReading } from './stream-reading.js';

/** Who was seen in a mixed picture, and in how many looks at it; those in which nobody was do not count. */
export interface MixLooks {
  readonly looks: number;
  readonly who: ReadonlyMap<number, number>;
}

/**
 * What marks say of a received stream, second by second, and how far sound is from pictures. Most streams have none,
 * and keep nothing here.
 */
export class MarkFold {
  private readonly percent: number;
  private readonly mostReadings: number;
  /** The means of the seconds, and how they rise. */
  private delays: HighestValues | undefined;
  private rise: RiseFold | undefined;
  private longestMs: number | undefined;
  /** The widest that clocks left delays open by. */
  private boundMs: number | undefined;
  /** Of pictures: how far the delay of their sound is from theirs, either way. */
  private syncs: HighestValues | undefined;
  /** The same as they are played. */
  private played: HighestValues | undefined;
  /** From taking a picture to showing it, second by second. */
  private shown: HighestValues | undefined;
  /** How unlike the sent pictures those shown are. */
  private unlike: HighestValues | undefined;
  /** What their VMAF is below 100. */
  private poor: HighestValues | undefined;
  /** Who came last in place of the expected sender. */
  foreignSender: number | undefined;
  private readonly who = new Map<number, number>();
  private whoLooks = 0;

  constructor(percent: number, mostReadings: number) {
    this.percent = percent;
    this.mostReadings = mostReadings;
  }

  add(reading: StreamReading): void {
    const { delayMs, soundLaterMs, soundPlayedLaterMs, delayMaxMs, delayBoundMs, shownMs, ssim, vmaf } =
      metricsOf(reading);
    if (delayMs !== undefined) {
      this.rise ??= new RiseFold();
      this.rise.add(delayMs);
    }
    this.delays = this.with(this.delays, delayMs);
    this.syncs = this.with(this.syncs, soundLaterMs && Math.abs(soundLaterMs));
    this.played = this.with(this.played, soundPlayedLaterMs && Math.abs(soundPlayedLaterMs));
    this.shown = this.with(this.shown, shownMs);
    this.unlike = this.with(this.unlike, ssim === undefined ? undefined : 1 - ssim);
    this.poor = this.with(this.poor, vmaf === undefined ? undefined : 100 - vmaf);
    if (delayMaxMs !== undefined) this.longestMs = Math.max(delayMaxMs, this.longestMs ?? delayMaxMs);
    if (delayBoundMs !== undefined) this.boundMs = Math.max(delayBoundMs, this.boundMs ?? 0);
    const { stream } = reading;
    if (stream?.direction !== 'receive') return;
    this.foreignSender = stream.foreignSender ?? this.foreignSender;
    if (!stream.seen) return;
    this.whoLooks += stream.metrics.markedFrames ?? 0;
    for (const [sender, looks] of stream.seen) this.who.set(sender, (this.who.get(sender) ?? 0) + looks);
  }

  /** Absent where none was a mix with marks. */
  get looks(): MixLooks | undefined {
    return this.whoLooks === 0 ? undefined : { looks: this.whoLooks, who: new Map(this.who) };
  }

  /** Made of the first value, as most streams have none. */
  private with(values: HighestValues | undefined, value: number | undefined): HighestValues | undefined {
    if (value === undefined) return values;
    const more = values ?? new HighestValues(this.percent, this.mostReadings);
    more.add(value);
    return more;
  }

  values() {
    const unlike = this.unlike?.percentileOfSeveral();
    const poor = this.poor?.percentileOfSeveral();
    return {
      ssimP5: unlike === undefined ? undefined : 1 - unlike,
      vmafP5: poor === undefined ? undefined : 100 - poor,
      delayP95Ms: this.delays?.percentileOfSeveral(),
      delayMaxMs: this.longestMs,
      delayBoundMs: this.boundMs,
      delayRiseMs: this.rise?.ms(),
      shownP95Ms: this.shown?.percentileOfSeveral(),
      playedApartP95Ms: this.played?.percentileOfSeveral(),
      syncP95Ms: this.syncs?.percentileOfSeveral(),
    };
  }
}

/** Parts of the time that are kept at most; of more, each two become one. */
const partsMost = 16;
const leastParts = 5;

/**
 * How far values have risen over a window of any length, and still rise: the least of its last quarter against the
 * least of its first. Least ones, because a peak that goes by is no rise. A step that stays is none either: by no more
 * is it told than the last quarter has risen above the third, and the last eighth above the one before, each times what
 * makes that all of an even rise.
 */
export class RiseFold {
  /** The least value of each part of the time, in order. */
  #parts: number[] = [];
  #valuesInPart = 1;
  /** In the last part so far. */
  #values = 0;

  add(value: number): void {
    const parts = this.#parts;
    if (parts.length > 0 && this.#values < this.#valuesInPart) {
      parts[parts.length - 1] = Math.min(parts.at(-1) ?? value, value);
      this.#values += 1;
      return;
    }
    if (parts.length === partsMost) {
      this.#parts = parts.flatMap((least, nth) => (nth % 2 === 0 ? Math.min(least, parts[nth + 1] ?? least) : []));
      this.#valuesInPart *= 2;
    }
    this.#parts.push(value);
    this.#values = 1;
  }

  /** Never below 0; `undefined` of fewer than five values. */
  ms(): number | undefined {
    const parts = this.#parts;
    if (parts.length < leastParts) return undefined;
    const leastOf = (fromEighth: number, toEighth: number) => {
      const [from, to] = [fromEighth, toEighth].map((nth) => Math.floor((nth * parts.length) / 8));
      return Math.min(...parts.slice(from, to));
    };
    const last = leastOf(6, 8);
    const [inAll, atLast] = [last - leastOf(0, 2), last - leastOf(4, 6)];
    return Math.max(0, Math.min(inAll, 3 * atLast, 7 * (leastOf(7, 8) - leastOf(6, 7))));
  }
}
