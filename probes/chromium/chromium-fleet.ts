import { readFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unlessAborted } from '../../host/bounded-wait.js';
import type { ProbeHostReading } from '../../model/evidence.js';
import type { ProbeHost } from '../../model/probe-host.js';
import type { Participant } from '../../model/scenario.js';
import type { ProbeRecord } from '../../model/trial.js';
import type { Fleet, FleetListener, FleetOptions, JoinOptions, StartFleet } from '../fleet.js';
import type { ProbeOrder } from '../page/wire.js';
import { BrowserSet, type Loss } from './browser-set.js';
import { failUnsettled, startProbe, type Trial, tooEarly } from './fleet-trial.js';
import { layOutByNetwork, type NetworkLayout, spread } from './layout.js';
import { encodedClip } from './media/encoded-clip.js';
import { type MediaFiles, mediaFiles, standInFiles } from './media/media-files.js';
import { OwnHost } from './own-host.js';
import { ProbeCalls } from './probe-calls.js';
import { ProbeLedger } from './probe-ledger.js';
import { type ReadableClips, readableClips } from './readable-clips.js';
import { startAtPace } from './start-at-pace.js';

const leaveBoundMs = 5_000;

/** Real headless Chromium on this machine. Starts nothing until `join`. */
export const startChromiumFleet: StartFleet = (options, listener) => new ChromiumFleet(options, listener);

class ChromiumFleet implements Fleet {
  private readonly options: FleetOptions;
  private readonly host: OwnHost;
  private readonly closed = new AbortController();
  private readonly clips: ReadableClips[] = [];
  private trial: Trial | undefined;
  private closing: Promise<void> | undefined;
  /** Set when probes have left: what a page still says is no sample. */
  private left = false;

  constructor(options: FleetOptions, listener: FleetListener) {
    this.options = options;
    this.host = new OwnHost(options.host, listener);
  }

  async join(participants: readonly Participant[], options: JoinOptions): Promise<void> {
    const signal = AbortSignal.any([options.signal, this.closed.signal]);
    const { encoded, probesPerPage, pagesPerBrowser } = this.options;
    const isFull = encoded ? spread(participants.length, encoded.fullShare) : () => true;
    const groups = participants.map((participant, index) => ({ ...participant, encoded: !isFull(index) }));
    const layout = layOutByNetwork(groups, probesPerPage, pagesPerBrowser);
    const places = layout.places.map((place) => ({ host: this.host.id, ...place }));
    const ledger = new ProbeLedger(participants, places, (event) => this.host.event(event));
    const trial = await this.prepare(participants, layout, ledger, { ...options, signal });
    this.trial = trial;
    const closeEarly = (): void => void trial.browsers.close();
    signal.addEventListener('abort', closeEarly, { once: true });
    try {
      signal.throwIfAborted();
      const lacking = await trial.browsers.launch(layout.browsers, layout.pages);
      if (lacking) {
        failUnsettled(trial, 'browser-start', lacking.message);
        return await trial.browsers.close();
      }
      this.host.watch(trial.browsers.roots());
      if (options.begins) await unlessAborted(signal, options.begins());
      // Every page has its camera open.
      await startAtPace({
        participants,
        ledger,
        options,
        signal,
        start: (participant, deadlineMs) => startProbe(trial, this.orderFor(participant, deadlineMs)),
        giveUp: (probe) => trial.calls.fail(probe, 'page-error', 'the page does not answer'),
      });
    } catch (error) {
      failUnsettled(trial, ...tooEarly);
      await trial.browsers.close();
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

  async leave(): Promise<void> {
    await this.trial?.browsers.leave(leaveBoundMs);
    this.left = true;
  }

  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  private async end(): Promise<void> {
    this.left = true;
    this.closed.abort(new Error('the fleet was closed'));
    await this.trial?.browsers.close();
    await Promise.all(this.clips.map((clips) => clips.close()));
    failUnsettled(this.trial, ...tooEarly);
  }

  private async prepare(
    participants: readonly Participant[],
    layout: NetworkLayout,
    ledger: ProbeLedger,
    { negotiate, begin, signal }: JoinOptions,
  ): Promise<Trial> {
    const { media, chromiumPath, inside, cacheFolder, pageScript } = this.options;
    const temporaryRoot = this.options.temporaryRoot ?? tmpdir();
    const trustedKey = this.options.relay?.trustedKey;
    const cache = cacheFolder ?? join(homedir(), '.cache', 'loadline');
    const files = await mediaFiles(cache, media);
    const script = await readFile(pageScript ?? fileURLToPath(new URL('page.js', import.meta.url)), 'utf8');
    const encoded = layout.browsers.some((browser) => browser.encoded)
      ? {
          files: await standInFiles(cache, media),
          clip: await encodedClip({ cacheFolder: cache, media, files, chromiumPath, script }),
        }
      : undefined;
    const isAllEncoded = layout.browsers.every((browser) => browser.encoded);
    const played = isAllEncoded ? files : await this.clipsFor(files);
    const pageOf = new Map(participants.map((one, index) => [one.id, layout.places[index]?.page ?? 0]));
    const pageAt = (probe: string) => browsers.page(pageOf.get(probe) ?? 0);
    const calls = new ProbeCalls(participants, {
      ledger,
      negotiate,
      ...(begin ? { begin } : {}),
      signal,
      offerToPage: async (probe, leg, offer) => (await pageAt(probe)?.renegotiate(probe, leg, offer)) ?? null,
      // A page that is gone has its own failure; there is nobody left to hand the candidate to.
      toPage: (probe, leg, candidate) =>
        void pageAt(probe)
          ?.candidate(probe, leg, candidate)
          .catch(() => undefined),
      onEvent: (event) => this.host.event(event),
      onSamples: (samples) => {
        if (!this.left) this.host.samples(samples);
      },
      onArtifacts: (artifacts) => this.host.artifacts(artifacts),
    });
    const browsers = new BrowserSet({
      browser: { chromiumPath, temporaryRoot, ...(trustedKey === undefined ? {} : { trustedKey }) },
      ...(inside ? { inside } : {}),
      files: played,
      ...(encoded ? { encoded: { ...encoded, files: await this.clipsFor(encoded.files) } } : {}),
      script,
      media,
      sendingPages: new Set(participants.filter(isSending).map(({ id }) => pageOf.get(id) ?? 0)),
      onCall: (call) => calls.answer(call),
      onEvent: (event) => this.host.event(event),
      onLost: (loss) => this.recordLoss(loss),
    });
    return { ledger, calls, browsers, pageOf };
  }

  private async clipsFor(files: MediaFiles): Promise<MediaFiles> {
    const { chromiumPath, temporaryRoot = tmpdir() } = this.options;
    const clips = await readableClips(files, chromiumPath, temporaryRoot);
    this.clips.push(clips);
    return clips.files;
  }

  private orderFor(participant: Participant, deadlineMs: number): ProbeOrder {
    const relay = this.options.relay?.accessFor(participant.id);
    return { participant, deadlineMs, ...(relay ? { relay } : {}) };
  }

  private recordLoss({ kind, browser, pages }: Loss): void {
    if (!this.trial) return;
    const probes = this.trial.ledger.probesAt((place) => pages.includes(place.page));
    const atMs = Date.now();
    if (kind === 'browser') this.host.event({ type: 'browser-crashed', atMs, browser, probes });
    else
      this.host.event({
        type: 'warning',
        atMs,
        text: `Page ${pages.join(', ')} crashed, and with it ${probes.join(', ')}.`,
      });
    for (const probe of probes) {
      this.trial.calls.fail(probe, `${kind}-crashed`, `the ${kind} that played this probe crashed`, { atMs });
    }
  }
}

const isSending = ({ legs }: Participant): boolean => legs.some(({ sends }) => sends.length > 0);
