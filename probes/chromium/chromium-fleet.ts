import { readFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unlessAborted } from '../../host/bounded-wait.js';
import { mostArtifacts } from '../../model/artifacts.js';
import type { ProbeHostReading } from '../../model/evidence.js';
import { type ProbeHost, type ProbeHostId, theOneHost } from '../../model/probe-host.js';
import { sampleOn } from '../../model/sample-line.js';
import type { Participant } from '../../model/scenario.js';
import type { FleetEvent, ProbeRecord } from '../../model/trial.js';
import type { Fleet, FleetListener, FleetOptions, JoinOptions, StartFleet } from '../fleet.js';
import type { ProbeOrder } from '../page/wire.js';
import { startsOf } from '../schedule.js';
import { BrowserSet, type Loss } from './browser-set.js';
import { failUnsettled, giveUp, startProbe, type Trial, tooEarly } from './fleet-trial.js';
import { HostMeter } from './host-meter.js';
import { layOutByNetwork, type NetworkLayout, spread } from './layout.js';
import { encodedClip } from './media/encoded-clip.js';
import { type MediaFiles, mediaFiles, standInFiles } from './media/media-files.js';
import { ProbeCalls } from './probe-calls.js';
import { ProbeLedger } from './probe-ledger.js';
import { type ReadableClips, readableClips } from './readable-clips.js';

const leaveBoundMs = 5_000;
/** A page that has not told of a probe's end this long after its deadline does not answer. */
const pageAnswerBoundMs = 3_000;

/** Real headless Chromium on this machine. Starts nothing until `join`. */
export const startChromiumFleet: StartFleet = (options, listener) => new ChromiumFleet(options, listener);

class ChromiumFleet implements Fleet {
  private readonly options: FleetOptions;
  private readonly listener: FleetListener;
  private readonly host: ProbeHostId;
  private readonly closed = new AbortController();
  private readonly meter = new HostMeter();
  private readonly clips: ReadableClips[] = [];
  private trial: Trial | undefined;
  private closing: Promise<void> | undefined;
  /** Set when probes have left: what a page still says is no sample. */
  private left = false;
  /** How many failed probes have told what they saw. */
  private kept = 0;

  constructor(options: FleetOptions, listener: FleetListener) {
    this.options = options;
    this.host = options.host ?? theOneHost;
    this.listener = listener;
  }

  async join(participants: readonly Participant[], options: JoinOptions): Promise<void> {
    const signal = AbortSignal.any([options.signal, this.closed.signal]);
    const { encoded, probesPerPage, pagesPerBrowser } = this.options;
    const isFull = encoded ? spread(participants.length, encoded.fullShare) : () => true;
    const groups = participants.map((participant, index) => ({ ...participant, encoded: !isFull(index) }));
    const layout = layOutByNetwork(groups, probesPerPage, pagesPerBrowser);
    const places = layout.places.map((place) => ({ host: this.host, ...place }));
    const ledger = new ProbeLedger(participants, places, (event) => this.tell(event));
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
      this.meter.watch(trial.browsers.roots());
      if (options.begins) await unlessAborted(signal, options.begins());
      await this.startAll(participants, trial, options, signal);
    } catch (error) {
      failUnsettled(trial, ...tooEarly);
      await trial.browsers.close();
      throw signal.aborted ? signal.reason : error;
    } finally {
      signal.removeEventListener('abort', closeEarly);
    }
  }

  /** Its clock is what all times here are told by; what it is against another host's, that host knows. */
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
    if (this.trial) failUnsettled(this.trial, ...tooEarly);
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
      onEvent: (event) => this.tell(event),
      onSamples: (samples) => {
        if (!this.left) this.listener.onSamples(samples.map((sample) => sampleOn(this.host, sample)));
      },
      onArtifacts: (artifacts) => {
        this.kept += 1;
        if (this.kept <= mostArtifacts) this.listener.onArtifacts?.({ host: this.host, ...artifacts });
      },
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
      onEvent: (event) => this.tell(event),
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

  /** The pace's clock starts here, when every page has its camera open. */
  private async startAll(
    participants: readonly Participant[],
    trial: Trial,
    options: JoinOptions,
    signal: AbortSignal,
  ): Promise<void> {
    const schedule = startsOf(participants, options);
    const beganMs = performance.now();
    const timers = participants.flatMap((participant, index) => {
      const { startMs, sourcesMs } = schedule[index] ?? { startMs: 0, sourcesMs: 0 };
      const deadlineMs = options.deadlineMs + sourcesMs;
      if (sourcesMs > 0) trial.ledger.reached(participant.id, { sourcesStartedMs: sourcesMs });
      return [
        setTimeout(() => startProbe(trial, this.orderFor(participant, deadlineMs), beganMs + startMs), startMs),
        setTimeout(() => giveUp(trial, participant.id), startMs + deadlineMs + pageAnswerBoundMs),
      ];
    });
    try {
      await unlessAborted(signal, trial.ledger.allSettled());
    } finally {
      for (const timer of timers) clearTimeout(timer);
    }
  }

  private orderFor(participant: Participant, deadlineMs: number): ProbeOrder {
    const relay = this.options.relay?.accessFor(participant.id);
    return { participant, deadlineMs, ...(relay ? { relay } : {}) };
  }

  private recordLoss({ kind, browser, pages }: Loss): void {
    if (!this.trial) return;
    const probes = this.trial.ledger.probesAt((place) => pages.includes(place.page));
    const atMs = Date.now();
    if (kind === 'browser') this.tell({ type: 'browser-crashed', atMs, browser, probes });
    else
      this.tell({ type: 'warning', atMs, text: `Page ${pages.join(', ')} crashed, and with it ${probes.join(', ')}.` });
    for (const probe of probes) {
      this.trial.calls.fail(probe, `${kind}-crashed`, `the ${kind} that played this probe crashed`, { atMs });
    }
  }

  private tell(event: FleetEvent): void {
    this.listener.onEvent({ ...event, host: this.host });
  }
}

const isSending = ({ legs }: Participant): boolean => legs.some(({ sends }) => sends.length > 0);
