import { receivesCamera } from '../model/expected-streams.js';
import type { Participant } from '../model/scenario.js';
import type { ProbePlace } from './ledger/place.js';

/** A browser of the fleet: its pages, the network that it is in, and the kind of its probes. */
export interface BrowserPlace {
  readonly pages: readonly number[];
  readonly network?: string;
  readonly encoded?: true;
}

/** How many probes share a page (or a process), and how many pages a browser. */
export interface Sharing {
  readonly probesPerPage: number;
  readonly pagesPerBrowser: number;
  /** Of each network; absent: as many as are needed. */
  readonly pagesMost?: number;
}

export const pagesIn = (participants: number, { probesPerPage, pagesMost = Number.POSITIVE_INFINITY }: Sharing) =>
  Math.min(pagesMost, Math.ceil(participants / probesPerPage));

/** The numbers of the pages of each browser. */
export const inBrowsers = (first: number, pages: number, perBrowser: number): readonly (readonly number[])[] =>
  Array.from({ length: Math.ceil(pages / perBrowser) }, (_, browser) =>
    Array.from(
      { length: Math.min(perBrowser, pages - browser * perBrowser) },
      (__, nth) => first + browser * perBrowser + nth,
    ),
  );

interface Layout {
  readonly pages: number;
  readonly browsers: number;
  /** One place per participant, in their order. */
  readonly places: readonly ProbePlace[];
}

/**
 * Deals participants to as few pages as `probesPerPage` allows, one after the other, like cards: neighbours in the list
 * are members of one session, and one crashed page should not look like a broken session.
 */
export function layOut(participants: number, sharing: Sharing): Layout {
  const { pagesPerBrowser } = sharing;
  const pages = pagesIn(participants, sharing);
  const places = Array.from({ length: participants }, (_, index) => {
    const page = index % pages;
    return { page, browser: Math.floor(page / pagesPerBrowser) };
  });
  return { pages, browsers: Math.ceil(pages / pagesPerBrowser), places };
}

export interface NetworkLayout extends Omit<Layout, 'browsers'> {
  readonly browsers: readonly BrowserPlace[];
}

/** What probes that share a browser have in common. */
interface Group {
  readonly network?: string;
  readonly encoded?: boolean;
}

/** The same with browsers of their own for each network and kind: a browser is in one network, and has one camera. */
export function layOutByNetwork(participants: readonly Group[], sharing: Sharing): NetworkLayout {
  const places: ProbePlace[] = [];
  const browsers: BrowserPlace[] = [];
  let pages = 0;
  for (const group of groupsOf(participants)) {
    const { members, network } = group;
    const encoded = group.encoded ? ({ encoded: true } as const) : {};
    const own = layOut(members.length, sharing);
    const [firstPage, firstBrowser] = [pages, browsers.length];
    own.places.forEach(({ page, browser }, index) => {
      places[members[index] ?? 0] = { page: firstPage + page, browser: firstBrowser + browser, ...encoded };
    });
    for (const numbers of inBrowsers(firstPage, own.pages, sharing.pagesPerBrowser))
      browsers.push({ pages: numbers, ...(network === undefined ? {} : { network }), ...encoded });
    pages += own.pages;
  }
  return { pages, browsers, places };
}

/** In the order in which their first members come; members are indexes. */
function groupsOf(participants: readonly Group[]): readonly (Group & { readonly members: readonly number[] })[] {
  const groups = new Map<string, Group & { readonly members: number[] }>();
  participants.forEach(({ network, encoded }, index) => {
    const key = JSON.stringify([network, encoded === true]);
    const group = groups.get(key) ?? {
      ...(network === undefined ? {} : { network }),
      encoded: encoded === true,
      members: [],
    };
    group.members.push(index);
    groups.set(key, group);
  });
  return [...groups.values()];
}

/** Full probes are dealt to those who receive first: who sends alone sees nothing to compare. */
export function fullAmong(participants: readonly Participant[], share: number): ReadonlySet<string> {
  const receives = ({ legs }: Participant) => Number(legs.some(receivesCamera));
  const isFull = spread(participants.length, share);
  const ordered = [...participants].sort((a, b) => receives(b) - receives(a));
  return new Set(ordered.filter((_, index) => isFull(index)).map(({ id }) => id));
}

/** Participants that make up this share (0 to 1), rounded up, spread evenly over the list from the first on. */
export function spread(participants: number, share: number): (participant: number) => boolean {
  const wanted = Math.min(participants, Math.ceil(participants * share));
  const passed = (count: number): number => Math.ceil((count * wanted) / Math.max(1, participants));
  return (index) => passed(index + 1) > passed(index);
}
