import { tmpdir } from 'node:os';
import { atMost, unlessAborted } from '../../host/bounded-wait.js';
import type { ProbeHostReading } from '../../model/evidence.js';
import type { ProbeHost } from '../../model/probe-host.js';
import type { Participant } from '../../model/scenario.js';
import type { ProbeFailureCode, ProbeRecord } from '../../model/trial.js';
import { cacheOf } from '../chromium/fleet-files.js';
import { failUnsettled, tooEarly } from '../chromium/fleet-trial.js';
import { layOutByNetwork, type NetworkLayout } from '../chromium/layout.js';
import { mediaFiles } from '../chromium/media/media-files.js';
import { OwnHost } from '../chromium/own-host.js';
import { ProbeLedger } from '../chromium/probe-ledger.js';
import { type ReadableClips, readableClips } from '../chromium/readable-clips.js';
import { startAtPace } from '../chromium/start-at-pace.js';
import type { Fleet, FleetListener, FleetOptions, JoinOptions, StartFleet } from '../fleet.js';
import { afterLastOfSession } from '../schedule.js';
import { type ReadyVisit, readyVisit, type VisitOrder } from './visit-order.js';
import { VisitedPage } from './visited-page.js';
import { launchVisitingBrowser, type VisitingBrowser } from './visiting-browser.js';
import { VisitingProbe } from './visiting-probe.js';

const leaveBoundMs = 5_000;

/** Real headless Chromium on this machine whose pages are those of a web app. Starts nothing until `join`. */
export function visitingFleets(order: VisitOrder, observerPath?: string): StartFleet {
  return (options, listener) => new VisitingFleet(order, options, listener, observerPath);
}

interface Visiting {
  readonly participants: readonly Participant[];
  readonly ledger: ProbeLedger;
  readonly calls: { fail(probe: string, code: ProbeFailureCode, detail: string): void };
  readonly probes: ReadonlyMap<string, VisitingProbe>;
  readonly pages: Map<string, VisitedPage>;
  readonly layout: NetworkLayout;
  readonly visit: ReadyVisit;
  readonly signal: AbortSignal;
}

class VisitingFleet implements Fleet {
  private readonly host: OwnHost;
  private readonly closed = new AbortController();
  private readonly browsers: VisitingBrowser[] = [];
  private clips: ReadableClips | undefined;
  private trial: Visiting | undefined;
  private closing: Promise<void> | undefined;
  private left = false;

  constructor(
    private readonly order: VisitOrder,
    private readonly options: FleetOptions,
    listener: FleetListener,
    private readonly observerPath?: string,
  ) {
    this.host = new OwnHost(options.host, listener);
  }

  async join(participants: readonly Participant[], options: JoinOptions): Promise<void> {
    const signal = AbortSignal.any([options.signal, this.closed.signal]);
    const visit = await readyVisit(this.order, this.observerPath);
    const layout = layOutByNetwork(participants, 1, this.options.pagesPerBrowser);
    const places = layout.places.map((place) => ({ host: this.host.id, ...place }));
    const ledger = new ProbeLedger(participants, places, (event) => this.host.event(event));
    const probes = new Map(participants.map((one) => [one.id, this.probeOf(one, ledger)]));
    const calls: Visiting['calls'] = {
      fail: (probe, code, detail) => ledger.failed({ probe, code, detail, atMs: Date.now() }),
    };
    const trial: Visiting = { participants, ledger, calls, probes, pages: new Map(), layout, visit, signal };
    this.trial = trial;
    const closeEarly = (): void => void this.closeBrowsers();
    signal.addEventListener('abort', closeEarly, { once: true });
    try {
      signal.throwIfAborted();
      await this.openAll(trial);
      if (options.begins) await unlessAborted(signal, options.begins());
      await startAtPace({
        participants,
        ledger,
        options,
        signal,
        starts: afterLastOfSession(participants, options.pacePerSecond),
        start: (participant, deadlineMs) => this.begin(trial, participant, deadlineMs),
      });
    } catch (error) {
      failUnsettled(trial, ...tooEarly);
      await this.closeBrowsers();
      throw signal.aborted ? signal.reason : error;
    } finally {
      signal.removeEventListener('abort', closeEarly);
    }
  }

  hosts(): readonly ProbeHost[] {
    return this.host.hosts();
  }

  records(): readonly ProbeRecord[] {
    return this.trial?.ledger.records() ?? [];
  }

  readHosts(): Promise<readonly ProbeHostReading[]> {
    return this.host.read();
  }

  /** Scripts leave where they say how; then every page is closed, and with it its connections. */
  async leave(): Promise<void> {
    const { trial } = this;
    if (!trial || this.left) return;
    const pages = trial.participants.map(async ({ id }) => {
      const page = trial.pages.get(id);
      trial.probes.get(id)?.leave();
      await page?.leave().catch(() => undefined);
    });
    await atMost(leaveBoundMs, Promise.allSettled(pages));
    this.left = true;
  }

  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  private async end(): Promise<void> {
    this.left = true;
    this.closed.abort(new Error('the fleet was closed'));
    for (const probe of this.trial?.probes.values() ?? []) probe.leave();
    await this.closeBrowsers();
    await this.clips?.close();
    failUnsettled(this.trial, ...tooEarly);
  }

  private async closeBrowsers(): Promise<void> {
    await Promise.all(this.browsers.map((browser) => browser.close()));
  }

  /** All blank pages are there before anybody opens the app. */
  private async openAll(trial: Visiting): Promise<void> {
    const { chromiumPath, inside, temporaryRoot = tmpdir(), media } = this.options;
    const files = await mediaFiles(cacheOf(this.options), media);
    this.clips = await readableClips(files, chromiumPath, temporaryRoot);
    for (const [index, { network }] of trial.layout.browsers.entries()) {
      trial.signal.throwIfAborted();
      const words = network === undefined ? undefined : inside?.(network);
      const browser = await launchVisitingBrowser({
        chromiumPath,
        temporaryRoot,
        files: this.clips.files,
        ...(words ? { inside: words } : {}),
      });
      this.browsers.push(browser);
      browser.onExit(() => this.loseBrowser(index));
      for (const [nth, participant] of trial.participants.entries())
        if (trial.layout.places[nth]?.browser === index) await this.openPage(trial, browser, participant, nth);
    }
    this.host.watch(new Set(this.browsers.flatMap(({ roots }) => [...roots])));
  }

  private async openPage(
    { visit, participants, probes, pages }: Visiting,
    browser: VisitingBrowser,
    { id }: Participant,
    nth: number,
  ): Promise<void> {
    const page = await VisitedPage.open({
      context: await browser.newContext(),
      script: visit.observer,
      settings: { phaseMs: (1000 * nth) / participants.length },
      block: visit.block,
      painted: visit.painted,
      clean: visit.clean,
      onReading: (reading) => probes.get(id)?.take(reading) ?? 'soon',
      onCrash: () => probes.get(id)?.fail('page-crashed', 'the page that played this probe crashed'),
    });
    pages.set(id, page);
  }

  private begin({ visit, pages, probes, participants, signal }: Visiting, one: Participant, deadlineMs: number): void {
    const { id, session, role } = one;
    const page = pages.get(id);
    if (!page) return;
    const index = participants.filter((other) => other.session === session).indexOf(one);
    const order = visit.orderFor({ session, participant: id, role, index }, deadlineMs, signal);
    void probes.get(id)?.start(page, order);
  }

  private probeOf(participant: Participant, ledger: ProbeLedger): VisitingProbe {
    const { id } = participant;
    return new VisitingProbe(participant, {
      onReached: (join) => ledger.reached(id, join),
      onUp: () => ledger.up(id, Date.now()),
      onFailed: (failure) => ledger.failed({ probe: id, atMs: Date.now(), ...failure }),
      onSample: (sample) => {
        if (!this.left) this.host.samples([sample]);
      },
      onArtifacts: (artifacts) => this.host.artifacts(artifacts),
    });
  }

  private loseBrowser(browser: number): void {
    if (!this.trial || this.closing || this.left) return;
    const probes = this.trial.ledger.probesAt((place) => place.browser === browser);
    this.host.event({ type: 'browser-crashed', atMs: Date.now(), browser, probes });
    for (const probe of probes)
      this.trial.probes.get(probe)?.fail('browser-crashed', 'the browser that played this probe crashed');
  }
}
