import { unlessAborted } from '../../host/bounded-wait.js';
import type { ProbeHostReading } from '../../model/evidence.js';
import type { ProbeHost } from '../../model/probe-host.js';
import { isSending, type Participant } from '../../model/scenario.js';
import type { ProbeRecord } from '../../model/trial.js';
import type { Fleet, FleetListener, FleetOptions, JoinOptions, StartFleet } from '../fleet.js';
import type { ProbeOrder } from '../page/wire.js';
import type { Loss } from './browser-set.js';
import { failLost, failUnsettled, notAnswering, startProbe, type Trial, tooEarly } from './fleet-trial.js';
import { layOutByNetwork, type NetworkLayout, spread } from './layout.js';
import { openTrial } from './open-trial.js';
import { OwnHost } from './own-host.js';
import { ProbeLedger } from './probe-ledger.js';
import type { ReadableClips } from './readable-clips.js';
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
        giveUp: (probe) => notAnswering(trial, probe),
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

  private prepare(
    participants: readonly Participant[],
    layout: NetworkLayout,
    ledger: ProbeLedger,
    joining: JoinOptions,
  ): Promise<Trial> {
    const pageOf = new Map(participants.map((one, index) => [one.id, layout.places[index]?.page ?? 0]));
    const sendingPages = new Set(participants.filter(isSending).map(({ id }) => pageOf.get(id) ?? 0));
    return openTrial(this.options, {
      ...{ participants, layout, ledger, joining, pageOf, sendingPages, host: this.host },
      haveLeft: () => this.left,
      onClips: (clips) => void this.clips.push(clips),
      onLost: (loss) => this.recordLoss(loss),
    });
  }

  private orderFor(participant: Participant, deadlineMs: number): ProbeOrder {
    const relay = this.options.relay?.accessFor(participant.id);
    return { participant, deadlineMs, ...(relay ? { relay } : {}) };
  }

  private recordLoss(loss: Loss): void {
    if (!this.trial) return;
    const probes = this.trial.ledger.probesAt((place) => loss.pages.includes(place.page));
    failLost(this.trial, loss, probes, (event) => this.host.event(event));
  }
}
