import type { DataPoint } from '../points/data-point.js';
import type { PointAccount, PointSink } from '../points/point-sink.js';
import { CurrentValues } from './current-values.js';
import type { ListenAddress } from './listen-address.js';
import { type MetricsPage, openMetricsPage } from './metrics-page.js';

/** Opens the page at once, so that a port that is taken is said before anything starts. Throws E_METRICS_LISTEN. */
export async function openScrapedSink(address: ListenAddress): Promise<PointSink> {
  const values = new CurrentValues();
  const page = await openMetricsPage(address, () => values.read(Date.now()));
  return new ScrapedSink(values, page);
}

/** Keeps the last points for whoever asks. One that was replaced before anybody asked is lost to the page. */
class ScrapedSink implements PointSink {
  readonly refused = undefined;

  constructor(
    private readonly values: CurrentValues,
    private readonly page: MetricsPage,
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

  add(points: readonly DataPoint[]): void {
    this.values.add(points, Date.now());
  }

  async room(): Promise<void> {}

  async close(): Promise<void> {
    await this.page.close();
  }
}
