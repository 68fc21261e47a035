import type { DataPoint } from '../points/data-point.js';
import { FleetFold, isOfOneProbe } from './fleet-fold.js';

/**
 * What a place that holds series of numbers gets of a run's points: groups in place of single probes, unless these are
 * asked for as well, and counts in place of events. So the number of series of a run is bounded, whatever its size.
 */
export class SeriesPoints {
  private readonly fold = new FleetFold();
  private readonly events = new EventCounts();

  constructor(private readonly options: { readonly perProbe: boolean }) {}

  /** For the line about the counts: what was put together. */
  get remark(): string | undefined {
    const { folded, late } = this.fold;
    const groups = folded === 0 ? [] : `${folded} points of single probes are in them as least, mean and most`;
    const tooLate = late === 0 ? [] : `${late} points of single probes came too late to be in them`;
    const words = [groups, tooLate].flat();
    return words.length === 0 ? undefined : words.join('; ');
  }

  of(points: readonly DataPoint[]): readonly DataPoint[] {
    if (points.length === 0) return points;
    return [...points.flatMap((point) => this.seen(point)), ...this.fold.complete()];
  }

  /** Groups whose second is not over. */
  rest(): readonly DataPoint[] {
    return this.fold.rest();
  }

  private seen(point: DataPoint): readonly DataPoint[] {
    if (point.measurement === 'loadline_event') return [this.events.next(point)];
    // What was of seconds belongs before what is of the trial.
    if (point.measurement === 'loadline_trial') return [...this.fold.rest(), point];
    if (!isOfOneProbe(point)) return [point];
    this.fold.add(point);
    return this.options.perProbe ? [point] : [];
  }
}

interface Count {
  total: number;
  atMs: number;
}

/**
 * Makes of each event the number of events of its type so far, in its trial: series hold numbers, and no words. Two in
 * one millisecond would be two values of one moment; the later one is told a millisecond later.
 */
class EventCounts {
  private readonly counts = new Map<string, Count>();

  next({ tags, atMs }: DataPoint): DataPoint {
    const key = JSON.stringify([tags.trial, tags.type]);
    const before = this.counts.get(key);
    const now = { total: (before?.total ?? 0) + 1, atMs: Math.max(atMs, (before?.atMs ?? 0) + 1) };
    this.counts.set(key, now);
    const fields = { total: now.total };
    return { measurement: 'loadline_events', tags, fields, isOfSecond: false, atMs: now.atMs };
  }
}
