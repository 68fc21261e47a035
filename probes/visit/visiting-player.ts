import { tmpdir } from 'node:os';
import { atMost } from '../../host/bounded-wait.js';
import type { Participant } from '../../model/scenario.js';
import type { ProbeFailureCode } from '../../model/trial.js';
import { cacheOf } from '../chromium/fleet-files.js';
import { mediaFiles } from '../chromium/media/media-files.js';
import { type ReadableClips, readableClips } from '../chromium/readable-clips.js';
import type { ProbePlace } from '../ledger/place.js';
import type { FrameReading, NextLook } from '../page/visit/wire.js';
import type { ProbeOrder } from '../page/wire.js';
import type { OpenPlayer, Player, PlayerOrder } from '../player.js';
import { afterLastOfSession, type ProbeStart } from '../schedule.js';
import { type Seats, seatsOf } from '../seats.js';
import { type VisitSeat, visitSeats } from '../visit-seats.js';
import { appWords } from './app-words.js';
import { LibraryHouse } from './library-page.js';
import { contextFor, logAllIn } from './log-in.js';
import type { Observed } from './observe.js';
import { filmFolder } from './page-film.js';
import { RoomJoins } from './room-joins.js';
import { type ReadyVisit, readyVisit, type VisitOrder } from './visit-order.js';
import { VisitedPage } from './visited-page.js';
import { launchVisitingBrowser, type VisitingBrowser } from './visiting-browser.js';
import { VisitingProbe } from './visiting-probe.js';

const leaveBoundMs = 5_000;
/** Pages that are opened one after the other read at different parts of the second. */
const spreadMs = 618;

/** Real headless Chromium on this machine whose pages are those of a web app. */
export function visitingPlayer(visit: VisitOrder, observerPath?: string): OpenPlayer {
  return async (order) => {
    const { options, participants } = order;
    const seats = options.pages?.seats ?? visitSeats(participants);
    return new VisitingPlayer(order, await readyVisit({ ...visit, ...options.pages }, observerPath), seats);
  };
}

class VisitingPlayer implements Player {
  /** Each participant has a page of its own. */
  private readonly seating: Seats;
  private readonly probes: ReadonlyMap<string, VisitingProbe>;
  private readonly pages = new Map<string, VisitedPage>();
  private readonly browsers: VisitingBrowser[] = [];
  private readonly houses = new Map<VisitingBrowser, Promise<LibraryHouse>>();
  private clips: ReadableClips | undefined;
  private readonly placeOf = new Map<string, ProbePlace>();
  private readonly joins: RoomJoins;
  private readonly unspared = new Set<string>();
  private opened = 0;
  private closed = false;

  constructor(
    private readonly order: PlayerOrder,
    private readonly visit: ReadyVisit,
    private readonly seats: Readonly<Record<string, VisitSeat>>,
  ) {
    const { participants, options } = order;
    const { pagesPerBrowser } = options;
    this.seating = seatsOf({ ...order, stays: () => false }, { probesPerPage: 1, pagesPerBrowser });
    this.joins = new RoomJoins(order, (id) => this.probes.get(id)?.startedMs ?? 0);
    this.probes = new Map(participants.map((one) => [one.id, this.probeOf(one)]));
  }

  /** All have logged in, and the blank pages of those who join to stay are there, before anybody opens the app. */
  async launch(): Promise<string | undefined> {
    const { options, participants, joining, arriving } = this.order;
    const { chromiumPath, inside, temporaryRoot = tmpdir(), media, relay: { trustedKey } = {} } = options;
    const { url, trustedKeys, library, encoded } = this.visit;
    const files = await mediaFiles(cacheOf(options), media);
    this.clips = await readableClips(files, chromiumPath, temporaryRoot);
    for (const [index, { network }] of this.seating.browsers.entries()) {
      joining.signal.throwIfAborted();
      const words = network === undefined ? undefined : inside?.(network);
      const browser = await launchVisitingBrowser({
        ...{ chromiumPath, temporaryRoot, files: this.clips.files },
        app: { url, library, encoded, trustedKeys: [...trustedKeys, ...(trustedKey ? [trustedKey] : [])] },
        ...(words ? { inside: words } : {}),
      });
      this.browsers.push(browser);
      browser.onExit(() => this.lost(index));
      // Who comes later has no place yet.
      const here = arriving ? [] : participants.filter((one) => this.seating.take(one).browser === index);
      const seats = arriving ? [0] : here.map(({ id }) => this.seatOf(id).nth);
      const failed = await logAllIn(this.visit, browser, seats, joining.signal);
      if (failed !== undefined) return failed;
      for (const one of here) await this.openPage(browser, one);
    }
    return undefined;
  }

  roots(): ReadonlySet<number> {
    return new Set(this.browsers.flatMap(({ roots }) => [...roots]));
  }

  starts(pacePerSecond: number): readonly ProbeStart[] {
    return afterLastOfSession(this.order.participants, pacePerSecond);
  }

  seat(participant: Participant): ProbePlace {
    const place = this.seating.take(participant);
    this.placeOf.set(participant.id, place);
    return place;
  }

  start(order: ProbeOrder): void {
    const { id } = order.participant;
    this.joins.begun(order);
    this.begin(order).catch((error: unknown) =>
      this.fail(id, 'page-error', `no page could be opened: ${String(error)}`),
    );
  }

  private async begin({ participant, deadlineMs, relay }: ProbeOrder): Promise<void> {
    const { id, session, role } = participant;
    const page = this.pages.get(id) ?? (await this.openPage(this.browserOf(id), participant));
    const { host, joining } = this.order;
    const { signal } = joining;
    const words = appWords(
      (value) => host.event({ type: 'app-value', atMs: Date.now(), probe: id, ...value }),
      (most) => this.warn(`${id} told more than ${most} values; no more are kept`),
    );
    const { nth, index } = this.seatOf(id);
    const visitor = { session, participant: id, role, index };
    const order = this.visit.orderFor(visitor, nth, { deadlineMs, signal, words });
    void this.probes.get(id)?.start(page, { ...order, ...(relay ? { relay } : {}) });
  }

  private browserOf(id: string): VisitingBrowser {
    const browser = this.browsers[this.placeOf.get(id)?.browser ?? 0];
    if (!browser) throw new Error('its browser is not there');
    return browser;
  }

  /** Their pages are closed, and with them their connections. */
  async hangUp(probes: readonly string[]): Promise<void> {
    const closing = probes.map(async (id) => {
      this.probes.get(id)?.leave();
      await this.pages.get(id)?.leave();
      this.pages.delete(id);
      this.joins.left(id);
      const place = this.placeOf.get(id);
      if (place) this.seating.give(place.page);
    });
    await Promise.all(closing);
  }

  private seatOf(id: string): VisitSeat {
    return this.seats[id] ?? { nth: 0, index: 0 };
  }

  fail(probe: string, code: ProbeFailureCode, detail: string): void {
    this.order.ledger.failed({ probe, code, detail, atMs: Date.now() });
  }

  /** Scripts leave where they say how; then every page is closed, and with it its connections. */
  async leave(): Promise<void> {
    const pages = this.order.participants.map(async ({ id }) => {
      this.probes.get(id)?.leave();
      await this.pages
        .get(id)
        ?.leave()
        .catch(() => undefined);
    });
    await atMost(leaveBoundMs, Promise.allSettled(pages));
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const probe of this.probes.values()) probe.leave();
    await Promise.all(this.browsers.map((browser) => browser.close()));
    await this.clips?.close();
  }

  private async openPage(browser: VisitingBrowser, { id }: Participant): Promise<VisitedPage> {
    const { observer, settings, block, clean, traces } = this.visit;
    const { nth } = this.seatOf(id);
    const painted = this.visit.painted || filmFolder(this.visit, nth) !== undefined;
    const relay = this.order.options.relay?.accessFor(id);
    this.opened += 1;
    const phaseMs = (this.opened * spreadMs) % 1000;
    const onReading = (reading: FrameReading) => this.takeReading(id, reading);
    const how = { script: observer, settings: { phaseMs, ...(relay ? { relay } : {}), ...settings }, block, onReading };
    const house = await this.houseOf(browser, id, how);
    const page = await VisitedPage.open({
      context: house ? house.page.context() : await contextFor(this.visit, browser, nth),
      ...how,
      ...{ house, name: id, painted, clean, traces },
      onUnmeasured: (why) => this.warn(`measure of ${id} ${why}`),
      onCrash: () => this.probes.get(id)?.fail('page-crashed', 'the page that played this probe crashed'),
    });
    this.pages.set(id, page);
    return page;
  }

  private takeReading(id: string, reading: FrameReading): NextLook {
    for (const why of reading.unspared) {
      if (!this.unspared.has(why)) this.warn(`pictures cost ${id} what they do without --media encoded: ${why}`);
      this.unspared.add(why);
    }
    return this.probes.get(id)?.take(reading) ?? 'soon';
  }

  /** Those of a browser who join by a library share a page; none of them has logged in. */
  private async houseOf(browser: VisitingBrowser, id: string, how: Observed): Promise<LibraryHouse | undefined> {
    const { library } = this.visit;
    if (!library) return undefined;
    // Each has another way to a relay.
    const known = how.settings.relay ? undefined : await this.houses.get(browser);
    if (known?.enter(id, how.onReading)) return known;
    const made = contextFor(this.visit, browser, 0).then((context) => LibraryHouse.open(context, library, how));
    this.houses.set(browser, made);
    const house = await made;
    house.enter(id, how.onReading);
    return house;
  }

  private probeOf(participant: Participant): VisitingProbe {
    const { id } = participant;
    const { ledger, host } = this.order;
    return new VisitingProbe(participant, {
      onReached: (join) => this.joins.reached(participant, join),
      onRoutes: (routes) => ledger.routed(id, routes),
      onUp: () => ledger.up(id, Date.now()),
      onFailed: (failure) => ledger.failed({ probe: id, atMs: Date.now(), ...failure }),
      onSample: (sample) => host.samples([sample]),
      onArtifacts: (artifacts) => host.artifacts(artifacts),
    });
  }

  private warn(text: string): void {
    this.order.host.event({ type: 'warning', atMs: Date.now(), text });
  }

  private lost(browser: number): void {
    const { haveLeft, host, ledger } = this.order;
    if (this.closed || haveLeft()) return;
    const probes = ledger.probesAt((place) => place.browser === browser).filter((id) => this.pages.has(id));
    host.event({ type: 'browser-crashed', atMs: Date.now(), browser, probes });
    for (const probe of probes)
      this.probes.get(probe)?.fail('browser-crashed', 'the browser that played this probe crashed');
  }
}
