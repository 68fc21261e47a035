import { tmpdir } from 'node:os';
import { atMost } from '../../host/bounded-wait.js';
import type { Participant } from '../../model/scenario.js';
import type { JoinTimes, ProbeFailureCode } from '../../model/trial.js';
import { cacheOf } from '../chromium/fleet-files.js';
import { layOutByNetwork, type NetworkLayout } from '../chromium/layout.js';
import { mediaFiles } from '../chromium/media/media-files.js';
import { type ReadableClips, readableClips } from '../chromium/readable-clips.js';
import type { ProbePlace } from '../ledger/place.js';
import type { ProbeOrder } from '../page/wire.js';
import type { OpenPlayer, Player, PlayerOrder } from '../player.js';
import { afterLastOfSession, type ProbeStart } from '../schedule.js';
import { appWords } from './app-words.js';
import { contextFor, logAllIn } from './log-in.js';
import { type ReadyVisit, readyVisit, type VisitOrder } from './visit-order.js';
import { VisitedPage } from './visited-page.js';
import { launchVisitingBrowser, type VisitingBrowser } from './visiting-browser.js';
import { VisitingProbe } from './visiting-probe.js';

const leaveBoundMs = 5_000;

/** Real headless Chromium on this machine whose pages are those of a web app. */
export function visitingPlayer(visit: VisitOrder, observerPath?: string): OpenPlayer {
  return async (order) => new VisitingPlayer(order, await readyVisit(visit, observerPath));
}

class VisitingPlayer implements Player {
  private readonly layout: NetworkLayout;
  private readonly probes: ReadonlyMap<string, VisitingProbe>;
  private readonly pages = new Map<string, VisitedPage>();
  private readonly browsers: VisitingBrowser[] = [];
  private clips: ReadableClips | undefined;
  /** When the connection of each was up, milliseconds of the wall clock. */
  private readonly connectedAtMs = new Map<string, number>();
  private closed = false;

  constructor(
    private readonly order: PlayerOrder,
    private readonly visit: ReadyVisit,
  ) {
    const { participants, options } = order;
    this.layout = layOutByNetwork(participants, 1, options.pagesPerBrowser);
    this.probes = new Map(participants.map((one) => [one.id, this.probeOf(one)]));
  }

  /** All have logged in, and all blank pages are there, before anybody opens the app. */
  async launch(): Promise<string | undefined> {
    const { options, participants, joining } = this.order;
    const { chromiumPath, inside, temporaryRoot = tmpdir(), media } = options;
    const files = await mediaFiles(cacheOf(options), media);
    this.clips = await readableClips(files, chromiumPath, temporaryRoot);
    for (const [index, { network }] of this.layout.browsers.entries()) {
      joining.signal.throwIfAborted();
      const words = network === undefined ? undefined : inside?.(network);
      const browser = await launchVisitingBrowser({
        ...{ chromiumPath, temporaryRoot, files: this.clips.files },
        ...{ trustedKeys: this.visit.trustedKeys },
        ...(words ? { inside: words } : {}),
      });
      this.browsers.push(browser);
      browser.onExit(() => this.lost(index));
      const seats = participants.flatMap((_, nth) => (this.layout.places[nth]?.browser === index ? [nth] : []));
      const failed = await logAllIn(this.visit, browser, seats, joining.signal);
      if (failed !== undefined) return failed;
      for (const nth of seats) await this.openPage(browser, nth);
    }
    return undefined;
  }

  roots(): ReadonlySet<number> {
    return new Set(this.browsers.flatMap(({ roots }) => [...roots]));
  }

  starts(pacePerSecond: number): readonly ProbeStart[] {
    return afterLastOfSession(this.order.participants, pacePerSecond);
  }

  seat({ id }: Participant): ProbePlace {
    return this.layout.places[this.nthOf(id)] ?? { browser: 0, page: 0 };
  }

  start({ participant: { id, session, role }, deadlineMs }: ProbeOrder): void {
    const page = this.pages.get(id);
    if (!page) return;
    const members = this.order.participants.filter((other) => other.session === session);
    const index = members.findIndex((one) => one.id === id);
    const { host, joining } = this.order;
    const { signal } = joining;
    const words = appWords(
      (value) => host.event({ type: 'app-value', atMs: Date.now(), probe: id, ...value }),
      (most) => this.warn(`${id} told more than ${most} values; no more are kept`),
    );
    const visitor = { session, participant: id, role, index };
    void this.probes.get(id)?.start(page, this.visit.orderFor(visitor, this.nthOf(id), { deadlineMs, signal, words }));
  }

  private nthOf(id: string): number {
    return this.order.participants.findIndex((one) => one.id === id);
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

  private async openPage(browser: VisitingBrowser, nth: number): Promise<void> {
    const { observer, block, painted, clean, traces } = this.visit;
    const { id = '' } = this.order.participants[nth] ?? {};
    const page = await VisitedPage.open({
      context: await contextFor(this.visit, browser, nth),
      script: observer,
      settings: { phaseMs: (1000 * nth) / this.order.participants.length },
      ...{ block, painted, clean, traces },
      onReading: (reading) => this.probes.get(id)?.take(reading) ?? 'soon',
      onUnmeasured: (why) => this.warn(`measure of ${id} ${why}`),
      onCrash: () => this.probes.get(id)?.fail('page-crashed', 'the page that played this probe crashed'),
    });
    this.pages.set(id, page);
  }

  private probeOf(participant: Participant): VisitingProbe {
    const { id } = participant;
    const { ledger, host, haveLeft } = this.order;
    return new VisitingProbe(participant, {
      onReached: (join) => this.reached(participant, join),
      onUp: () => ledger.up(id, Date.now()),
      onFailed: (failure) => ledger.failed({ probe: id, atMs: Date.now(), ...failure }),
      onSample: (sample) => {
        if (!haveLeft()) host.samples([sample]);
      },
      onArtifacts: (artifacts) => host.artifacts(artifacts),
    });
  }

  /**
   * Until a page has loaded and connected, nobody can see its member: that is in the member's own time to join. So the
   * others' first frames count from when the last member was connected.
   */
  private reached({ id, session }: Participant, join: JoinTimes): void {
    const { ledger, participants } = this.order;
    ledger.reached(id, join);
    const connectedMs = join.dtlsConnectedMs ?? join.iceConnectedMs;
    if (connectedMs === undefined || this.connectedAtMs.has(id)) return;
    const connectedAtMs = (this.probes.get(id)?.startedMs ?? 0) + connectedMs;
    this.connectedAtMs.set(id, connectedAtMs);
    for (const other of participants) {
      const { startedMs = 0 } = this.probes.get(other.id) ?? {};
      if (other.session !== session || other.id === id || startedMs === 0) continue;
      ledger.reached(other.id, { sourcesStartedMs: Math.max(0, connectedAtMs - startedMs) });
    }
  }

  private warn(text: string): void {
    this.order.host.event({ type: 'warning', atMs: Date.now(), text });
  }

  private lost(browser: number): void {
    const { haveLeft, host, ledger } = this.order;
    if (this.closed || haveLeft()) return;
    const probes = ledger.probesAt((place) => place.browser === browser);
    host.event({ type: 'browser-crashed', atMs: Date.now(), browser, probes });
    for (const probe of probes)
      this.probes.get(probe)?.fail('browser-crashed', 'the browser that played this probe crashed');
  }
}
