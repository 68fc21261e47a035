import type { DataPoint } from '../points/data-point.js';
import type { PointAccount, PointSink } from '../points/point-sink.js';
import type { SeriesPoints } from '../series/series-points.js';
import { CurrentValues } from './current-values.js';
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
