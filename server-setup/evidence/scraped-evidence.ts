import { atMost } from '../../host/bounded-wait.js';
import { messageOf } from '../../model/errors.js';
import type { ScrapedReading } from '../../model/evidence.js';
import { plainText } from '../../model/plain-text.js';
import { type BodyBound, boundedText, causeOfFetch } from '../sockets/bounded-body.js';
import { CounterRates } from './counter-rates.js';
import type { MetricSelector } from './metric-selector.js';
import { readMetricsPage } from './metrics-page.js';
import { isWanted, readPage } from './page-reading.js';

/** A page that takes longer is a gap. */
const scrapeBoundMs = 5000;
/** Readings of other machines are due each second and wait for no page; a later one comes with the next. */
const waitMs = 700;
/** What came later than this belongs to another trial. */
const staleMs = 10_000;
const causeCharacters = 200;

interface ScrapeOptions {
  readonly urls: readonly string[];
  readonly metrics: readonly MetricSelector[];
  /** Sent to each address. */
  readonly token?: string | undefined;
}

/** Readings of metrics pages since the last call, with one more scrape each unless one runs. Never rejects. */
type ReadScraped = () => Promise<readonly ScrapedReading[]>;

export function scrapedEvidence({ urls, metrics, token }: ScrapeOptions): ReadScraped {
  const come: ScrapedReading[] = [];
  const pages = urls.map((url) => ({
    scrape: pageReader(url, metrics, token),
    busy: undefined as Promise<void> | undefined,
  }));
  return async () => {
    const scrapes = pages.map((page) => {
      page.busy ??= page.scrape().then((reading) => {
        come.push(reading);
        page.busy = undefined;
      });
      return page.busy;
    });
    await atMost(waitMs, Promise.all(scrapes));
    return come.splice(0).filter(({ atMs }) => Date.now() - atMs < staleMs);
  };
}

/** Reads one page again and again; what fails is a reading that says why. */
function pageReader(source: string, asked: readonly MetricSelector[], token: string | undefined) {
  const rates = new CounterRates();
  let last = '';
  return async (): Promise<ScrapedReading> => {
    const startedMs = performance.now();
    try {
      const text = await fetchPage(source, token, scrapeBoundMs);
      const stamp = { atMs: Date.now(), source };
      if (text === last) return { ...stamp, unchanged: true };
      last = text;
      const page = readMetricsPage(text, (name) => isWanted(name, asked));
      // The exporter looked somewhere between question and answer.
      const atMs = (startedMs + performance.now()) / 2;
      return { ...stamp, ...readPage({ page, rates, atMs, asked }) };
    } catch (error) {
      return { atMs: Date.now(), source, failure: plainText(messageOf(error)).slice(0, causeCharacters) };
    }
  };
}

/** More than any exporter writes; what is larger is no page of metrics. */
const pageMbMax = 32;
const pageBound: BodyBound = {
  bytesMax: pageMbMax * 1024 * 1024,
  tooLong: () => new Error(`it is larger than ${pageMbMax} MB`),
};

/** The text at an address. Throws a plain Error with why not: refused, too late, too large, another status than 200. */
async function fetchPage(url: string, token: string | undefined, boundMs: number): Promise<string> {
  const signal = AbortSignal.timeout(boundMs);
  try {
    const response = await fetch(url, {
      signal,
      // Where it leads is the page's choice, and may be an address that only this host reaches.
      redirect: 'error',
      headers: {
        // Also offered by servers that would else answer in OpenMetrics or Protocol Buffers.
        accept: 'text/plain;version=0.0.4;q=1,*/*;q=0.1',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new Error(`it answered ${response.status} ${response.statusText}`.trim());
    }
    return await boundedText(response, pageBound);
  } catch (error) {
    if (signal.aborted) throw new Error(`it did not answer in ${boundMs / 1000} s`);
    throw new Error(causeOfFetch(error));
  }
}
