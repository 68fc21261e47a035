export interface LayoutChoice {
  readonly probesPerPage: number;
  readonly pagesPerBrowser: number;
}

/**
 * Pages and browsers for a kind of probes; `docs/lab/density.md` has the figures that this rests on. A page of
 * encoded probes takes its threads' fixed cost once, and its busiest thread half of a core at 64. Twice as many viewers
 * in a page cost less, but one thread plays their sound: on a busy host some failed by audio MOS, most likely because
 * it was late. A browser's one network thread serves two such pages. More cores carry more probes, and so get more
 * pages and browsers.
 */
export function defaultLayout(encoded: boolean): LayoutChoice {
  return encoded ? { probesPerPage: 64, pagesPerBrowser: 2 } : { probesPerPage: 4, pagesPerBrowser: 4 };
}
