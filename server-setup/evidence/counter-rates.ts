import { type Series, seriesKey } from './metrics-page.js';

/** How much counters have grown since the scrape before, in all. */
type Growth =
  | { readonly kind: 'grown'; readonly by: number; readonly ms: number; readonly each: readonly SeriesGrowth[] }
  /** One went back: what it counts was started anew, and how far it had come meanwhile nobody knows. */
  | { readonly kind: 'went-back' }
  /** There is nothing to compare with: the first scrape, other series than before, or no later time. */
  | { readonly kind: 'unknown' };

export interface SeriesGrowth {
  readonly series: Series;
  readonly by: number;
}

interface Seen {
  readonly values: ReadonlyMap<string, number>;
  readonly atMs: number;
}

/** Some exporters look only every 15 s. What is older is of another trial; a mean would include the pause. */
const longestMs = 30_000;

/** Remembers groups of counters from scrape to scrape. */
export class CounterRates {
  readonly #seen = new Map<string, Seen>();

  /**
   * @param group what the series are together; a group is compared with itself alone
   * @param scrapedMs when the page came; series that carry a time of their own are compared by that
   */
  growth(group: string, series: readonly Series[], scrapedMs: number): Growth {
    const last = this.#seen.get(group);
    const known = series.filter(({ value }) => Number.isFinite(value));
    if (known.length === 0 || known.length < series.length) return { kind: 'unknown' };
    const own = known.flatMap(({ atMs }) => atMs ?? []);
    const atMs = own.length === known.length ? Math.max(...own) : scrapedMs;
    // Counted at the moment of before: an exporter that looks less often than it is asked.
    if (last && atMs <= last.atMs) return { kind: 'unknown' };
    const now = new Map(known.map((one) => [seriesKey(one), one.value]));
    this.#seen.set(group, { values: now, atMs });
    if (!last || atMs - last.atMs > longestMs || !sameKeys(now, last.values)) return { kind: 'unknown' };
    const each = known.map((one) => ({ series: one, by: one.value - (last.values.get(seriesKey(one)) ?? 0) }));
    if (each.some(({ by }) => by < 0)) return { kind: 'went-back' };
    return { kind: 'grown', by: each.reduce((sum, { by }) => sum + by, 0), ms: atMs - last.atMs, each };
  }
}

function sameKeys(one: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>): boolean {
  return one.size === other.size && [...one.keys()].every((key) => other.has(key));
}
