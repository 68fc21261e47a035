import { isSending, type Participant } from '../model/scenario.js';
import { type BrowserPlace, fullAmong, inBrowsers, layOutByNetwork, pagesIn, type Sharing } from './layout.js';
import type { ProbePlace } from './ledger/place.js';
import type { PlayerOrder } from './player.js';

interface Seating extends Sharing {
  /** Of all, how many encode for themselves, 0 to 1; absent: all. */
  readonly fullShare?: number;
  /** Those who stay have pages of their own. */
  readonly residentsApart?: true;
}

/** The pages of a trial (processes, where there is no browser), and who is on which. */
export interface Seats {
  readonly browsers: readonly BrowserPlace[];
  readonly pages: number;
  readonly sendingPages: ReadonlySet<number>;
  take(participant: Participant): ProbePlace;
  /** Somebody has left the page. */
  give(page: number): void;
}

type Coming = Pick<PlayerOrder, 'participants' | 'arriving' | 'stays'>;

export const seatsOf = (order: Coming, seating: Seating): Seats =>
  order.arriving ? dealtSeats(order, seating) : laidOutSeats(order, seating);

/** Of all who join and stay. */
function laidOutSeats({ participants }: Coming, { fullShare = 1, ...sharing }: Seating): Seats {
  const full = fullAmong(participants, fullShare);
  const groups = participants.map((participant) => ({ ...participant, encoded: !full.has(participant.id) }));
  const { browsers, pages, places } = layOutByNetwork(groups, sharing);
  const placeOf = new Map(participants.map(({ id }, index) => [id, places[index] ?? { browser: 0, page: 0 }]));
  const take = ({ id }: Participant) => placeOf.get(id) ?? { browser: 0, page: 0 };
  const sendingPages = new Set(participants.filter(isSending).map((one) => take(one).page));
  return { browsers, pages, sendingPages, take, give: () => undefined };
}

/** Of those who come and go, and of the few who stay among them. */
function dealtSeats({ participants, arriving, stays }: Coming, seating: Seating): Seats {
  const { fullShare = 1, residentsApart, ...sharing } = seating;
  const residents = participants.filter(stays);
  const apart = residentsApart ? residents.length : 0;
  const atOnce = residents.length - apart + (arriving?.atOnce(participants) ?? 0);
  const deal = new PageDeal({ ...sharing, residents: apart, atOnce, encoded: fullShare < 1 });
  const comersSend = participants.some((one) => !stays(one) && isSending(one));
  const residentsSend = residents.some(isSending);
  const pages = Array.from({ length: deal.pages }, (_, page) => page);
  return {
    ...{ browsers: deal.browsers, pages: deal.pages },
    sendingPages: new Set(pages.filter((page) => (page < deal.firstForComers ? residentsSend : comersSend))),
    take: (one) => deal.take(apart > 0 && stays(one)),
    give: (page) => deal.give(page),
  };
}

interface DealtPages extends Sharing {
  /** Who stays to the end, and so many of the others as are there at a time. */
  readonly residents: number;
  readonly atOnce: number;
  readonly encoded: boolean;
}

/**
 * Pages that are used again and again by participants who come and go: each gets the one on which the fewest are. Those
 * who stay may have pages of their own. When more are there than were expected, pages hold more: nobody waits for a
 * place.
 */
export class PageDeal {
  readonly browsers: readonly BrowserPlace[];
  readonly pages: number;
  /** The first page of those who come and go. */
  readonly firstForComers: number;
  private readonly on: number[];

  constructor(private readonly dealt: DealtPages) {
    const { residents, atOnce, pagesPerBrowser, encoded } = dealt;
    this.firstForComers = pagesIn(residents, dealt);
    this.pages = this.firstForComers + Math.max(1, pagesIn(atOnce, dealt));
    this.on = Array.from({ length: this.pages }, () => 0);
    this.browsers = inBrowsers(0, this.pages, pagesPerBrowser).map((pages) => ({
      pages,
      ...(encoded ? { encoded: true as const } : {}),
    }));
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
