import type { CounterRates } from './counter-rates.js';
import { hasLabels, type MetricSelector } from './metric-selector.js';
import type { MetricsPage, Series } from './metrics-page.js';

/** A page of one scrape, and what the ones before it leave. */
export interface ScrapedPage {
  readonly page: MetricsPage;
  readonly rates: CounterRates;
  /** When it came, by a clock that is never set. */
  readonly atMs: number;
  readonly asked: readonly MetricSelector[];
}

export function seriesOf(page: MetricsPage, name: string, labels: Readonly<Record<string, string>> = {}): Series[] {
  return page.series.filter((one) => one.name === name && hasLabels(one, labels));
}
