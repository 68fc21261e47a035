import { LoadlineError } from '../../model/errors.js';
import type { AskedSink, SinkChoices, SinkKind } from '../sink-kind.js';
import { readListenAddress } from './listen-address.js';

export const scrape: SinkKind = {
  name: 'metricsListen',
  takes: 'address',
  summary:
    'show metrics at http://ADDRESS/metrics while the run goes on, for a Prometheus that scrapes; may be repeated',
  help: `Metrics for scraping:
  --metrics-listen :9464                                for this machine alone; 0.0.0.0:9464 for all who reach it
  What is shown is of now, and ends with the run: --prometheus-remote-write copies every point.`,
  mustBe: 'must be an address to listen on: ":9464"',
  read: askedScrape,
};

function askedScrape(text: string, { perProbe }: SinkChoices): AskedSink {
  const address = readListenAddress(text);
  return {
    kind: scrape,
    description: `metrics page ${text}`,
    // Loaded late: most runs show none.
    async open() {
      const { openScrapedSink } = await import('./scraped-sink.js');
      const { SeriesPoints } = await import('../series/series-points.js');
      return openScrapedSink(address, new SeriesPoints({ perProbe }));
    },
    notTaken: (lost) =>
      new LoadlineError('E_METRICS', `${lost} points were in no answer.`, { where: '--metrics-listen' }),
  };
}
