import { atMost } from '../../host/bounded-wait.js';
import { receivesCamera } from '../../model/expected-streams.js';
import type { Participant } from '../../model/scenario.js';
import type { ProbeFailureCode } from '../../model/trial.js';
import type { ProbePlace } from '../ledger/place.js';
import { localFleets } from '../local-fleet.js';
import type { ProbeOrder } from '../page/wire.js';
import type { OpenPlayer, Player, PlayerOrder } from '../player.js';
import { type Seats, seatsOf } from '../seats.js';
import type { Loss } from './browser-set.js';
import { openTrial, type Trial } from './open-trial.js';
import type { ReadableClips } from './readable-clips.js';

const leaveBoundMs = 5_000;
const hangUpBoundMs = 2_000;

/** Headless Chromium on this machine. Pages of those who come and go are used again by others. */
export function browserPlayer(open = openTrial): OpenPlayer {
  return async (order) => {
    const { probesPerPage, pagesPerBrowser, encoded } = order.options;
    const fullShare = encoded?.fullShare ?? 1;
    const seats = seatsOf(order, { probesPerPage, pagesPerBrowser, fullShare, residentsApart: true });
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
