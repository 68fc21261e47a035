import type { DataPoint } from '../points/data-point.js';
import type { PointAccount, PointSink } from '../points/point-sink.js';
import { type PointValues, valuesOf } from '../series/series.js';
import type { SeriesPoints } from '../series/series-points.js';
import type { ListenAddress } from './listen-address.js';
import { type MetricsPage, openMetricsPage } from './metrics-page.js';

/** Opens the page at once, so that a port that is taken is said before anything starts. Throws E_METRICS_LISTEN. */
export async function openScrapedSink(address: ListenAddress, series: SeriesPoints): Promise<PointSink> {
  const values = new CurrentValues();
  const page = await openMetricsPage(address, () => values.read(Date.now()));
  return new ScrapedSink(values, page, series);
}

/** Keeps the last points for whoever asks. One that was replaced before anybody asked is lost to the page. */
class ScrapedSink implements PointSink {
  readonly refused = undefined;

  constructor(
    private readonly values: CurrentValues,
    private readonly page: MetricsPage,
    private readonly series: SeriesPoints,
  ) {}

  get description(): string {
    return `metrics page ${this.page.url}`;
  }

  get account(): PointAccount {
    const { given, seen } = this.values;
    return { given, written: seen, resent: 0, lost: given - seen };
  }

  get accountText(): string {
    const { given, seen } = this.values;
    return `${this.description}: ${this.page.scrapes} scrapes saw ${seen} of ${given} points; the rest gave way to newer ones`;
  }

  get remark(): string | undefined {
    return this.series.remark;
  }

  add(points: readonly DataPoint[]): void {
    this.values.add(this.series.of(points), Date.now());
  }

  async room(): Promise<void> {}

  async close(): Promise<void> {
    this.values.add(this.series.rest(), Date.now());
    await this.page.close();
  }
}

/** What is of one second: shown while it is news. All else is of a trial or a run, and stays. */
const ofSeconds: ReadonlySet<string> = new Set([
  'loadline_probe',
  'loadline_leg',
  'loadline_stream',
  'loadline_probes',
  'loadline_legs',
  'loadline_streams',
  'loadline_host',
  'loadline_server',
  'loadline_turn',
  'loadline_scraped',
]);
/** A value of a second that nobody renewed for so long is not shown any more: it would pass for one of now. */
const newsMs = 15_000;

interface Shown {
  readonly values: PointValues;
  readonly ofSecond: boolean;
  readonly cameMs: number;
  seen: boolean;
}

/** The last point of each kind, for whoever asks now. */
class CurrentValues {
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
      const ofSecond = ofSeconds.has(point.measurement);
      if (point.measurement === 'loadline_trial') this.dropSeconds();
      const key = `${point.measurement} ${JSON.stringify(values.labels)}`;
      this.shown.set(key, { values, ofSecond, cameMs: nowMs, seen: false });
    }
  }

  /** What is shown now. From here on these points count as seen. */
  read(nowMs: number): readonly PointValues[] {
    const answer: PointValues[] = [];
    for (const [key, one] of this.shown) {
      if (one.ofSecond && nowMs - one.cameMs > newsMs) {
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
    for (const [key, { ofSecond }] of this.shown) if (ofSecond) this.shown.delete(key);
  }
}
