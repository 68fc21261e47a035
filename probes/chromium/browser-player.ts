import { atMost } from '../../host/bounded-wait.js';
import { receivesCamera } from '../../model/expected-streams.js';
import { isSending, type Participant } from '../../model/scenario.js';
import type { ProbeFailureCode } from '../../model/trial.js';
import type { ProbePlace } from '../ledger/place.js';
import { localFleets } from '../local-fleet.js';
import type { ProbeOrder } from '../page/wire.js';
import type { OpenPlayer, Player, PlayerOrder } from '../player.js';
import type { Loss } from './browser-set.js';
import { type BrowserPlace, fullAmong, layOutByNetwork } from './layout.js';
import { openTrial, type Trial } from './open-trial.js';
import type { ReadableClips } from './readable-clips.js';

const leaveBoundMs = 5_000;
const hangUpBoundMs = 2_000;

/** Headless Chromium on this machine. Pages of those who come and go are used again by others. */
export function browserPlayer(open = openTrial): OpenPlayer {
  return async (order) => {
    const seats = order.arriving ? dealtSeats(order) : laidOutSeats(order);
    const pageOf = new Map<string, number>();
    const clips: ReadableClips[] = [];
    const closeClips = async () => void (await Promise.all(clips.splice(0).map((one) => one.close())));
    try {
      const trial = await open(order.options, {
        ...order,
        ...{ layout: seats, pageOf, sendingPages: seats.sendingPages },
        onClips: (one) => void clips.push(one),
        onLost: (loss) => player.lost(loss),
      });
      const player = new BrowserPlayer(trial, seats, pageOf, { order, closeClips });
      return player;
    } catch (error) {
      await closeClips();
      throw error;
    }
  };
}

export const startBrowserFleet = localFleets(browserPlayer());

/** The pages of a trial, and who is on which. */
interface Seats {
  readonly browsers: readonly BrowserPlace[];
  readonly pages: number;
  readonly sendingPages: ReadonlySet<number>;
  take(participant: Participant): ProbePlace;
  /** Somebody has left the page. */
  give(page: number): void;
}

/** Of all who join and stay. */
function laidOutSeats({ participants, options }: PlayerOrder): Seats {
  const { encoded, probesPerPage, pagesPerBrowser } = options;
  const full = fullAmong(participants, encoded?.fullShare ?? 1);
  const groups = participants.map((participant) => ({ ...participant, encoded: !full.has(participant.id) }));
  const { browsers, pages, places } = layOutByNetwork(groups, probesPerPage, pagesPerBrowser);
  const placeOf = new Map(participants.map(({ id }, index) => [id, places[index] ?? { browser: 0, page: 0 }]));
  const take = ({ id }: Participant) => placeOf.get(id) ?? { browser: 0, page: 0 };
  const sendingPages = new Set(participants.filter(isSending).map((one) => take(one).page));
  return { browsers, pages, sendingPages, take, give: () => undefined };
}

/** Of those who come and go, and of the few who stay among them. */
function dealtSeats({ participants, options, arriving, stays }: PlayerOrder): Seats {
  const { probesPerPage, pagesPerBrowser, encoded } = options;
  const residents = participants.filter(stays);
  const deal = new PageDeal({
    ...{ residents: residents.length, atOnce: arriving?.atOnce(participants) ?? 1, probesPerPage, pagesPerBrowser },
    encoded: encoded !== undefined && encoded.fullShare < 1,
  });
  const comersSend = participants.some((one) => !stays(one) && isSending(one));
  const residentsSend = residents.some(isSending);
  const pages = Array.from({ length: deal.pages }, (_, page) => page);
  return {
    ...{ browsers: deal.browsers, pages: deal.pages },
    sendingPages: new Set(pages.filter((page) => (page < deal.firstForComers ? residentsSend : comersSend))),
    take: (one) => deal.take(stays(one)),
    give: (page) => deal.give(page),
  };
}

class BrowserPlayer implements Player {
  readonly silence = 'the page does not answer';
  /** Who compares pictures. */
  private readonly seeing = new Set<string>();

  constructor(
    private readonly trial: Trial,
    private readonly seats: Seats,
    /** Of those who are there now. */
    private readonly pageOf: Map<string, number>,
    private readonly of: { readonly order: PlayerOrder; closeClips(): Promise<void> },
  ) {}

  async launch(): Promise<string | undefined> {
    return (await this.trial.browsers.launch(this.seats.browsers, this.seats.pages))?.message;
  }

  roots(): ReadonlySet<number> {
    return this.trial.browsers.roots();
  }

  seat(participant: Participant): ProbePlace {
    const place = this.seats.take(participant);
    this.pageOf.set(participant.id, place.page);
    return place;
  }

  start(order: ProbeOrder): void {
    const { id } = order.participant;
    const sees = this.isToSee(order.participant);
    if (sees) this.seeing.add(id);
    this.pageAt(id)
      ?.start({ ...order, ...(sees ? { sees } : {}) })
      .catch((error: unknown) => this.fail(id, 'page-error', `the page could not start the probe: ${String(error)}`));
  }

  /** The first of those who are there, and whose page decodes what comes. */
  private isToSee({ id, legs }: Participant): true | undefined {
    const { see = 0 } = this.of.order.options.media;
    if (
      this.seeing.size >= see ||
      this.seats.browsers.find(({ pages }) => pages.includes(this.pageOf.get(id) ?? 0))?.encoded
    )
      return undefined;
    return legs.some(receivesCamera) || undefined;
  }

  fail(probe: string, code: ProbeFailureCode, why: string): void {
    this.trial.calls.fail(probe, code, why);
  }

  /** On pages where others go on. */
  async hangUp(probes: readonly string[]): Promise<void> {
    const pages = new Map<number, string[]>();
    for (const id of probes) {
      const page = this.pageOf.get(id) ?? 0;
      pages.set(page, [...(pages.get(page) ?? []), id]);
    }
    const closing = [...pages].map(([page, ids]) => this.trial.browsers.page(page)?.hangUp(ids));
    await atMost(hangUpBoundMs, Promise.allSettled(closing));
    for (const [page, ids] of pages) {
      for (const id of ids) {
        this.trial.calls.forget(id);
        this.pageOf.delete(id);
        this.seeing.delete(id);
        this.seats.give(page);
      }
    }
  }

  leave(): Promise<void> {
    this.trial.calls.leave();
    return this.trial.browsers.leave(leaveBoundMs);
  }

  async close(): Promise<void> {
    await this.trial.browsers.close();
    await this.of.closeClips();
  }

  /** Those who were on these pages before are gone, and lose nothing with them. */
  lost({ kind, browser, pages }: Loss): void {
    const { host } = this.of.order;
    const probes = [...this.pageOf].flatMap(([id, page]) => (pages.includes(page) ? id : []));
    const atMs = Date.now();
    if (kind === 'browser') host.event({ type: 'browser-crashed', atMs, browser, probes });
    else
      host.event({
        type: 'warning',
        atMs,
        text: `Page ${pages.join(', ')} crashed, and with it ${probes.join(', ')}.`,
      });
    for (const probe of probes)
      this.trial.calls.fail(probe, `${kind}-crashed`, `the ${kind} that played this probe crashed`, { atMs });
  }

  private pageAt(probe: string) {
    return this.trial.browsers.page(this.pageOf.get(probe) ?? 0);
  }
}

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
