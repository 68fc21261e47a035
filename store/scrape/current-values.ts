import type { DataPoint } from '../points/data-point.js';
import { type PointValues, valuesOf } from '../series/series.js';

/** A value of a second that nobody renewed for so long is not shown any more: it would pass for one of now. */
const newsMs = 15_000;

interface Shown {
  readonly values: PointValues;
  readonly isOfSecond: boolean;
  readonly cameMs: number;
  seen: boolean;
}

/** The last point of each kind, for whoever asks now. What is of a trial or a run stays; a second does not. */
export class CurrentValues {
  private readonly shown = new Map<string, Shown>();
  /** Points that were in at least one answer. */
  seen = 0;
  /** Points without any number are in none. */
  given = 0;

  add(points: readonly DataPoint[], nowMs: number): void {
    for (const point of points) {
      const values = valuesOf(point);
      if (!values) continue;
      this.given += 1;
      const { measurement, isOfSecond } = point;
      const key = `${measurement} ${JSON.stringify(values.labels)}`;
      this.shown.set(key, { values, isOfSecond, cameMs: nowMs, seen: false });
    }
    // With a trial's result come seconds in which people came, which are over as well.
    if (points.some(({ measurement }) => measurement === 'loadline_trial')) this.dropSeconds();
  }

  /** What is shown now. From here on these points count as seen. */
  read(nowMs: number): readonly PointValues[] {
    const answer: PointValues[] = [];
    for (const [key, one] of this.shown) {
      if (one.isOfSecond && nowMs - one.cameMs > newsMs) {
        this.shown.delete(key);
        continue;
      }
      if (!one.seen) this.seen += 1;
      one.seen = true;
      answer.push(one.values);
    }
    return answer;
  }

  /** The trial is over: its seconds are no longer now. */
  private dropSeconds(): void {
    for (const [key, { isOfSecond }] of this.shown) if (isOfSecond) this.shown.delete(key);
  }
}
