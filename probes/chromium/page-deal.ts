import type { ProbePlace } from '../ledger/place.js';
import type { BrowserPlace } from './layout.js';

interface DealtPages {
  /** Who stays to the end, and so many of the others as are there at a time. */
  readonly residents: number;
  readonly atOnce: number;
  readonly probesPerPage: number;
  readonly pagesPerBrowser: number;
  readonly encoded: boolean;
}

/**
 * Pages that are used again and again by participants who come and go: each gets the one on which the fewest are. Those
 * who stay have pages of their own. When more are there than were expected, pages hold more: nobody waits for a place.
 */
export class PageDeal {
  readonly browsers: readonly BrowserPlace[];
  readonly pages: number;
  /** The first page of those who come and go. */
  readonly firstForComers: number;
  private readonly on: number[];

  constructor(private readonly dealt: DealtPages) {
    const { residents, atOnce, probesPerPage, pagesPerBrowser, encoded } = dealt;
    this.firstForComers = Math.ceil(residents / probesPerPage);
    this.pages = this.firstForComers + Math.max(1, Math.ceil(atOnce / probesPerPage));
    this.on = Array.from({ length: this.pages }, () => 0);
    this.browsers = Array.from({ length: Math.ceil(this.pages / pagesPerBrowser) }, (_, browser) => {
      const first = browser * pagesPerBrowser;
      const count = Math.min(pagesPerBrowser, this.pages - first);
      const pages = Array.from({ length: count }, (__, offset) => first + offset);
      return { pages, ...(encoded ? { encoded: true as const } : {}) };
    });
  }

  take(stays: boolean): ProbePlace {
    const [from, to] = stays ? [0, this.firstForComers] : [this.firstForComers, this.pages];
    let page = from;
    for (let other = from; other < to; other += 1) if ((this.on[other] ?? 0) < (this.on[page] ?? 0)) page = other;
    this.on[page] = (this.on[page] ?? 0) + 1;
    const { pagesPerBrowser, encoded } = this.dealt;
    return { page, browser: Math.floor(page / pagesPerBrowser), ...(encoded ? { encoded } : {}) };
  }

  give(page: number): void {
    this.on[page] = Math.max(0, (this.on[page] ?? 0) - 1);
  }
}
