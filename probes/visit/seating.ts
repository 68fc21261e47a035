import type { Participant } from '../../model/scenario.js';
import { PageDeal } from '../chromium/browser-player.js';
import { type BrowserPlace, layOutByNetwork } from '../chromium/layout.js';
import type { ProbePlace } from '../ledger/place.js';
import type { PlayerOrder } from '../player.js';

/** In which browser each page of a trial is. */
export interface Seating {
  readonly browsers: readonly BrowserPlace[];
  /** Undefined where the participant comes later. */
  browserOf(participant: Participant): number | undefined;
  take(participant: Participant): ProbePlace;
  /** The participant there has left. */
  give(place: ProbePlace | undefined): void;
}

/** For participants who join and stay. */
export function laidOutSeating({ participants, options }: PlayerOrder): Seating {
  const { browsers, places } = layOutByNetwork(participants, 1, options.pagesPerBrowser);
  const placeOf = new Map(participants.map(({ id }, nth) => [id, places[nth] ?? { browser: 0, page: 0 }]));
  return {
    browsers,
    browserOf: ({ id }) => placeOf.get(id)?.browser,
    take: ({ id }) => placeOf.get(id) ?? { browser: 0, page: 0 },
    give: () => undefined,
  };
}

/** For participants who come and go: as many browsers as the most of them at one time need. */
export function dealtSeating({ participants, options, arriving }: PlayerOrder): Seating {
  const { pagesPerBrowser } = options;
  const atOnce = arriving?.atOnce(participants) ?? 1;
  const deal = new PageDeal({ residents: 0, atOnce, probesPerPage: 1, pagesPerBrowser, encoded: false });
  return {
    browsers: deal.browsers,
    browserOf: () => undefined,
    take: () => deal.take(false),
    give: (place) => place && deal.give(place.page),
  };
}
