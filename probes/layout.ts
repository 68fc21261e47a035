/** Where a participant's probe runs: indexes within the fleet. */
export interface Place {
  readonly browser: number;
  readonly page: number;
}

export interface Layout {
  readonly pages: number;
  readonly browsers: number;
  /** One place per participant, in their order. */
  readonly places: readonly Place[];
}

/**
 * Deals participants to as few pages as `probesPerPage` allows, one after the other, like cards: neighbours in the list
 * are members of one session, and one crashed page should not look like a broken session.
 */
export function layOut(participants: number, probesPerPage: number, pagesPerBrowser: number): Layout {
  const pages = Math.ceil(participants / probesPerPage);
  const places = Array.from({ length: participants }, (_, index) => {
    const page = index % pages;
    return { page, browser: Math.floor(page / pagesPerBrowser) };
  });
  return { pages, browsers: Math.ceil(pages / pagesPerBrowser), places };
}
