export interface LayoutChoice {
  readonly probesPerPage: number;
  readonly pagesPerBrowser: number;
}

/**
 * Pages and browsers for a kind of probes; `docs/bench-density.md` has the figures that this rests on. A page of encoded probes takes
 * its threads' fixed cost once, and its busiest thread half of a core at 50; a browser's one network thread serves 100.
 * More cores carry more probes, and so get more pages and browsers.
 */
export function defaultLayout(encoded: boolean): LayoutChoice {
  return encoded ? { probesPerPage: 50, pagesPerBrowser: 2 } : { probesPerPage: 4, pagesPerBrowser: 4 };
}
