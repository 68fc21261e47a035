export interface LayoutChoice {
  readonly probesPerPage: number;
  readonly pagesPerBrowser: number;
}

/** Pages and browsers for a host and a kind of probes; `docs/bench-density.md` has the figures that this rests on. */
export function defaultLayout(cores: number, encoded: boolean): LayoutChoice {
  return encoded
    ? { probesPerPage: 16, pagesPerBrowser: Math.max(2, Math.min(8, cores)) }
    : { probesPerPage: 4, pagesPerBrowser: 4 };
}
