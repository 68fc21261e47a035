import { availableParallelism } from 'node:os';
import { atMost, unlessAborted } from '../../host/bounded-wait.js';
import type { ProbeHostReading } from '../../model/evidence.js';
import type { ProbeHost } from '../../model/probe-host.js';
import type { Participant } from '../../model/scenario.js';
import type { ProbeRecord } from '../../model/trial.js';
import { failUnsettled, tooEarly } from '../chromium/fleet-trial.js';
import { OwnHost } from '../chromium/own-host.js';
import type { ProbeCalls } from '../chromium/probe-calls.js';
import { ProbeLedger } from '../chromium/probe-ledger.js';
import { startAtPace } from '../chromium/start-at-pace.js';
import type { Fleet, FleetListener, FleetOptions, JoinOptions, StartFleet } from '../fleet.js';
import { failPlayedBy } from './lost-worker.js';
import { WorkerSet, type WorkerStart, workerStart } from './worker-set.js';
import { layOutWorkers } from './workers.js';

const leaveBoundMs = 5_000;

interface Trial {
  readonly ledger: ProbeLedger;
  readonly calls: ProbeCalls;
  readonly workers: WorkerSet;
  readonly workerOf: ReadonlyMap<string, number>;
}

export const startNativeFleet: StartFleet = (options, listener) => new NativeFleet(options, listener);

/** Probes without a browser, in processes of their own on this machine: one for each core that is needed. Starts nothing until `join`. */
class NativeFleet implements Fleet {
  private readonly host: OwnHost;
  private readonly closed = new AbortController();
  private trial: Trial | undefined;
  private left = false;

  constructor(
    private readonly options: FleetOptions,
    listener: FleetListener,
  ) {
    this.host = new OwnHost(options.host, listener);
  }

  async join(participants: readonly Participant[], options: JoinOptions): Promise<void> {
    const signal = AbortSignal.any([options.signal, this.closed.signal]);
    const start = await workerStart(this.options, participants);
    const trial = this.prepare(participants, { ...options, signal }, start);
    this.trial = trial;
    const closeEarly = (): void => void trial.workers.close();
    signal.addEventListener('abort', closeEarly, { once: true });
    try {
      signal.throwIfAborted();
      const lacking = await trial.workers.lacking();
      signal.throwIfAborted();
      if (lacking !== undefined) {
        failUnsettled(trial, 'browser-start', lacking);
        return await trial.workers.close();
      }
      this.host.watch(trial.workers.roots());
      if (options.begins) await unlessAborted(signal, options.begins());
      await startAtPace({
        participants,
        ledger: trial.ledger,
        options,
        signal,
        start: (participant, deadlineMs) => {
          const relay = this.options.relay?.accessFor(participant.id);
          const order = { participant, deadlineMs, ...(relay ? { relay } : {}) };
          trial.workers.at(trial.workerOf.get(participant.id) ?? 0)?.start(order);
        },
        giveUp: (probe) => trial.calls.fail(probe, 'page-error', 'its process does not answer'),
      });
    } catch (error) {
      failUnsettled(trial, ...tooEarly);
      await trial.workers.close();
      throw signal.aborted ? signal.reason : error;
    } finally {
      signal.removeEventListener('abort', closeEarly);
    }
  }

  private prepare(participants: readonly Participant[], joining: JoinOptions, start: WorkerStart): Trial {
    const layout = layOutWorkers(participants, availableParallelism());
    const places = layout.map(({ worker }) => ({
      host: this.host.id,
      browser: worker,
      page: worker,
      native: true as const,
    }));
    const ledger = new ProbeLedger(participants, places, (event) => this.host.event(event));
    const workerOf = new Map(participants.map(({ id }, index) => [id, layout[index]?.worker ?? 0]));
    const networks = new Map(layout.map(({ worker, network }) => [worker, network]));
    const { negotiate, begin, signal } = joining;
    const workers = new WorkerSet({
      participants,
      options: this.options,
      networks: Array.from({ length: networks.size }, (_, worker) => networks.get(worker)),
      start,
      joining: { negotiate, ...(begin ? { begin } : {}), signal },
      told: {
        ledger,
        onEvent: (event) => this.host.event(event),
        onSamples: (samples) => {
          if (!this.left) this.host.samples(samples);
        },
      },
      workerOf: (probe) => workerOf.get(probe),
      onLost: (worker, why) => this.lost(worker, why),
    });
    return { ledger, calls: workers.calls, workers, workerOf };
  }

  private lost(worker: number, why: string): void {
    if (!this.trial || this.left) return;
    const probes = this.trial.ledger.probesAt(({ page }) => page === worker);
    failPlayedBy(this.trial.calls, probes, why, (event) => this.host.event(event));
  }

  hosts(): readonly ProbeHost[] {
    return this.host.hosts();
  }

  records(): readonly ProbeRecord[] {
    return this.trial?.ledger.records() ?? [];
  }

  async readHosts(): Promise<readonly ProbeHostReading[]> {
    const readings = await this.host.read();
    const kept = this.trial?.workers.take() ?? { socketDrops: 0, nativeLateMs: 0 };
    return readings.map((reading) => ({ ...reading, ...kept }));
  }

  async leave(): Promise<void> {
    if (this.trial) await atMost(leaveBoundMs, this.trial.workers.leave());
    this.left = true;
  }

  async close(): Promise<void> {
    this.left = true;
    this.closed.abort(new Error('the fleet was closed'));
    await this.trial?.workers.close();
    failUnsettled(this.trial, ...tooEarly);
  }
}
