import type { DataPoint } from '../points/data-point.js';
import type { PointAccount, PointSink } from '../points/point-sink.js';
import { EventCounts } from './event-counts.js';
import { FleetFold, isOfOneProbe } from './fleet-fold.js';

/**
 * In front of a sink that holds series of numbers: gives it groups in place of single probes, unless these are asked for as
 * well, and counts in place of events. So the number of series of a run is bounded, whatever its size.
 */
export class SeriesSink implements PointSink {
  private readonly fold = new FleetFold();
  private readonly events = new EventCounts();

  constructor(
    private readonly to: PointSink,
    private readonly options: { readonly perProbe: boolean },
  ) {}

  get description(): string {
    return this.to.description;
  }

  get account(): PointAccount {
    return this.to.account;
  }

  get refused(): string | undefined {
    return this.to.refused;
  }

  get accountText(): string | undefined {
    return this.to.accountText;
  }

  get remark(): string | undefined {
    const { folded, late } = this.fold;
    const groups = folded === 0 ? undefined : `${folded} points of single probes are in them as least, mean and most`;
    const tooLate = late === 0 ? undefined : `${late} points of single probes came too late to be in them`;
    const words = [this.to.remark, groups, tooLate].filter((one) => one !== undefined);
    return words.length === 0 ? undefined : words.join('; ');
  }

  add(points: readonly DataPoint[]): void {
    if (points.length === 0) return;
    this.to.add([...points.flatMap((point) => this.seen(point)), ...this.fold.complete()]);
  }

  room(): Promise<void> {
    return this.to.room();
  }

  async close(): Promise<void> {
    this.to.add(this.fold.rest());
    await this.to.close();
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
