import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { atMost, unlessAborted } from '../../host/bounded-wait.js';
import { mostArtifacts } from '../../model/artifacts.js';
import type { ProbeHostReading } from '../../model/evidence.js';
import { type ProbeHost, type ProbeHostId, theOneHost } from '../../model/probe-host.js';
import { sampleOn } from '../../model/sample-line.js';
import type { Participant } from '../../model/scenario.js';
import type { FleetEvent, ProbeFailureCode, ProbeRecord } from '../../model/trial.js';
import { HostMeter } from '../chromium/host-meter.js';
import { layOutByNetwork, type NetworkLayout } from '../chromium/layout.js';
import { mediaFiles } from '../chromium/media/media-files.js';
import { ProbeLedger } from '../chromium/probe-ledger.js';
import { type ReadableClips, readableClips } from '../chromium/readable-clips.js';
import type { Fleet, FleetListener, FleetOptions, JoinOptions, StartFleet } from '../fleet.js';
import { startSchedule } from '../schedule.js';
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
  readonly probes: ReadonlyMap<string, VisitingProbe>;
  readonly pages: Map<string, VisitedPage>;
  readonly layout: NetworkLayout;
  readonly visit: ReadyVisit;
  readonly signal: AbortSignal;
}

class VisitingFleet implements Fleet {
  private readonly host: ProbeHostId;
  private readonly closed = new AbortController();
  private readonly meter = new HostMeter();
  private readonly browsers: VisitingBrowser[] = [];
  private clips: ReadableClips | undefined;
  private trial: Visiting | undefined;
  private closing: Promise<void> | undefined;
  private left = false;
  private kept = 0;

  constructor(
    private readonly order: VisitOrder,
    private readonly options: FleetOptions,
    private readonly listener: FleetListener,
    private readonly observerPath?: string,
  ) {
    this.host = options.host ?? theOneHost;
  }

  async join(participants: readonly Participant[], options: JoinOptions): Promise<void> {
    const signal = AbortSignal.any([options.signal, this.closed.signal]);
    const visit = await readyVisit(this.order, this.observerPath);
    const layout = layOutByNetwork(participants, 1, this.options.pagesPerBrowser);
    const places = layout.places.map((place) => ({ host: this.host, ...place }));
    const ledger = new ProbeLedger(participants, places, (event) => this.tell(event));
    const probes = new Map(participants.map((one) => [one.id, this.probeOf(one, ledger)]));
    const trial: Visiting = { participants, ledger, probes, pages: new Map(), layout, visit, signal };
    this.trial = trial;
    const closeEarly = (): void => void this.closeBrowsers();
    signal.addEventListener('abort', closeEarly, { once: true });
    try {
      signal.throwIfAborted();
      await this.openAll(trial);
      if (options.begins) await unlessAborted(signal, options.begins());
      await this.startAll(trial, options);
    } catch (error) {
      this.failUnsettled('aborted', 'the trial ended before this probe was up');
      await this.closeBrowsers();
      throw signal.aborted ? signal.reason : error;
    } finally {
      signal.removeEventListener('abort', closeEarly);
    }
  }

  /** Its clock is what all times here are told by. */
  hosts(): readonly ProbeHost[] {
    return [{ id: this.host, besideConductor: true }];
  }

  records(): readonly ProbeRecord[] {
    return this.trial?.ledger.records() ?? [];
  }

  async readHosts(): Promise<readonly ProbeHostReading[]> {
    const reading = await this.meter.read();
    return reading ? [{ host: this.host, ...reading }] : [];
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
    this.failUnsettled('aborted', 'the trial ended before this probe was up');
  }

  private async closeBrowsers(): Promise<void> {
    await Promise.all(this.browsers.map((browser) => browser.close()));
  }

  /** All blank pages are there before anybody opens the app. */
  private async openAll(trial: Visiting): Promise<void> {
    const { chromiumPath, inside, cacheFolder, temporaryRoot = tmpdir(), media } = this.options;
    const files = await mediaFiles(cacheFolder ?? join(homedir(), '.cache', 'loadline'), media);
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
    this.meter.watch(new Set(this.browsers.flatMap(({ roots }) => [...roots])));
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
      clean: visit.clean,
      onReading: (reading) => probes.get(id)?.take(reading) ?? 'soon',
      onCrash: () => probes.get(id)?.fail('page-crashed', 'the page that played this probe crashed'),
    });
    pages.set(id, page);
  }

  private async startAll(trial: Visiting, { pacePerSecond, deadlineMs }: JoinOptions): Promise<void> {
    const { participants, ledger, signal } = trial;
    const schedule = startSchedule(participants, pacePerSecond);
    const beganMs = performance.now();
    const timers = participants.map((participant, nth) => {
      const startMs = schedule[nth]?.startMs ?? 0;
      const sourcesMs = lastOther(participants, nth, (index) => schedule[index]?.startMs ?? 0);
      if (sourcesMs > 0) ledger.reached(participant.id, { sourcesStartedMs: sourcesMs });
      return setTimeout(() => {
        ledger.begun(participant.id, performance.now() - beganMs - startMs);
        this.begin(trial, participant, deadlineMs + sourcesMs);
      }, startMs);
    });
    try {
      await unlessAborted(signal, ledger.allSettled());
    } finally {
      for (const timer of timers) clearTimeout(timer);
    }
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
        if (!this.left) this.listener.onSamples([sampleOn(this.host, sample)]);
      },
      onArtifacts: (artifacts) => {
        this.kept += 1;
        if (this.kept <= mostArtifacts) this.listener.onArtifacts?.({ host: this.host, ...artifacts });
      },
    });
  }

  private loseBrowser(browser: number): void {
    if (!this.trial || this.closing || this.left) return;
    const probes = this.trial.ledger.probesAt((place) => place.browser === browser);
    this.tell({ type: 'browser-crashed', atMs: Date.now(), browser, probes });
    for (const probe of probes)
      this.trial.probes.get(probe)?.fail('browser-crashed', 'the browser that played this probe crashed');
  }

  private failUnsettled(code: ProbeFailureCode, detail: string): void {
    if (!this.trial) return;
    const { ledger } = this.trial;
    for (const probe of ledger.unsettled()) ledger.failed({ probe, code, detail, atMs: Date.now() });
  }

  private tell(event: FleetEvent): void {
    this.listener.onEvent({ ...event, host: this.host });
  }
}

/** How long after its own start the last other member of its session starts. */
function lastOther(participants: readonly Participant[], nth: number, startMs: (index: number) => number): number {
  const { session } = participants[nth] ?? {};
  const waits = participants.flatMap((one, index) => (one.session === session ? startMs(index) - startMs(nth) : []));
  return Math.max(0, ...waits);
}
