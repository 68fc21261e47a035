import { availableParallelism } from 'node:os';
import { atMost } from '../../host/bounded-wait.js';
import type { ProbeHostReading } from '../../model/evidence.js';
import type { ArrivedJoin } from '../../model/join.js';
import { probesPerProcess } from '../../model/native-probes.js';
import type { ProbeHost } from '../../model/probe-host.js';
import type { Participant } from '../../model/scenario.js';
import type { FleetEvent, ProbeRecord } from '../../model/trial.js';
import { failUnsettled, tooEarly } from '../chromium/fleet-trial.js';
import { HeardJoins, neverCame } from '../chromium/heard-joins.js';
import { LeftProbes } from '../chromium/left-probes.js';
import { OwnHost } from '../chromium/own-host.js';
import { ProbeLedger } from '../chromium/probe-ledger.js';
import { ComingAndGoing, type DueParticipant, type FleetClock } from '../coming-and-going.js';
import type { Fleet, FleetListener, FleetOptions, JoinOptions, StartFleet } from '../fleet.js';
import { failPlayedBy } from './lost-worker.js';
import { WorkerSet, workerStart } from './worker-set.js';

const leaveBoundMs = 5_000;

/** Probes without a browser that come and go within the trial, in processes that play them one after the other. */
export function arrivingNativeFleets(clock: FleetClock): StartFleet {
  return (options, listener) => new ArrivingNativeFleet(clock, options, listener);
}

interface Played {
  readonly ledger: ProbeLedger;
  readonly workers: WorkerSet;
  /** How many each process plays now. */
  readonly on: number[];
}

class ArrivingNativeFleet implements Fleet {
  private readonly host: OwnHost;
  private readonly crowd: ComingAndGoing;
  private readonly joins = new HeardJoins();
  /** Of those who are there now. */
  private readonly workerOf = new Map<string, number>();
  private readonly gone = new LeftProbes();
  private residents: ReadonlySet<string> = new Set();
  private played: Played | undefined;
  private closing: Promise<void> | undefined;
  private left = false;

  constructor(
    clock: FleetClock,
    private readonly options: FleetOptions,
    listener: FleetListener,
  ) {
    this.host = new OwnHost(options.host, {
      onSamples: (samples) => listener.onSamples(this.gone.without(samples)),
      onEvent: (event) => listener.onEvent(event),
    });
    this.crowd = new ComingAndGoing(clock, {
      join: (due) => this.play(due),
      hangUp: (probes, outMs) => this.hangUp(probes, outMs),
    });
  }

  async standBy(
    participants: readonly Participant[],
    { arriving, negotiate, begin, signal }: JoinOptions,
  ): Promise<void> {
    const residents = participants.filter((one) => arriving?.partyOf(one) === undefined);
    this.residents = new Set(residents.map(({ id }) => id));
    const atOnce = residents.length + (arriving?.atOnce(participants) ?? 0);
    const count = Math.min(Math.max(1, availableParallelism()), Math.ceil(Math.max(1, atOnce) / probesPerProcess));
    const start = await workerStart(this.options, participants);
    signal.throwIfAborted();
    const ledger = new ProbeLedger(participants, [], (event) => this.settle(event));
    const workers = new WorkerSet({
      participants,
      options: this.options,
      networks: Array.from({ length: count }, () => undefined),
      start,
      joining: { negotiate, ...(begin ? { begin } : {}), signal },
      told: {
        ledger,
        onEvent: (event) => this.host.event(event),
        onSamples: (samples) => {
          if (!this.left) this.host.samples(samples);
        },
      },
      workerOf: (probe) => this.workerOf.get(probe),
      hears: (call) => this.joins.hear(call),
      onLost: (worker, why) => this.lost(worker, why),
    });
    this.played = { ledger, workers, on: Array.from({ length: count }, () => 0) };
    const why = await workers.lacking();
    signal.throwIfAborted();
    if (why !== undefined) {
      failUnsettled(this.trial(), 'browser-start', why);
      return workers.close();
    }
    this.host.watch(workers.roots());
  }

  join(participants: readonly Participant[], options: JoinOptions): Promise<void> {
    return this.crowd.join(participants, options);
  }

  hosts(): readonly ProbeHost[] {
    return this.host.hosts();
  }

  records(): readonly ProbeRecord[] {
    return this.played?.ledger.records() ?? [];
  }

  async readHosts(): Promise<readonly ProbeHostReading[]> {
    const readings = await this.host.read();
    const kept = this.played?.workers.take() ?? {};
    return readings.map((reading) => ({ ...reading, ...kept }));
  }

  async hangUp(probes: readonly string[], outMs: number): Promise<void> {
    const { played } = this;
    if (!played) return;
    for (const id of probes) {
      const worker = this.workerOf.get(id);
      if (worker === undefined) continue;
      this.gone.leaves(id, outMs);
      played.ledger.leaves(id, outMs);
      played.workers.at(worker)?.hangUp(id);
      played.workers.calls.forget(id);
      this.workerOf.delete(id);
      played.on[worker] = Math.max(0, (played.on[worker] ?? 0) - 1);
    }
  }

  async leave(): Promise<void> {
    await this.crowd.leave();
    if (this.played) await atMost(leaveBoundMs, this.played.workers.leave());
    this.left = true;
  }

  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  private async end(): Promise<void> {
    this.left = true;
    await this.played?.workers.close();
    await this.crowd.close();
    failUnsettled(this.trial(), ...tooEarly);
  }

  private trial() {
    return this.played && { ledger: this.played.ledger, calls: this.played.workers.calls };
  }

  private async play(due: DueParticipant): Promise<ArrivedJoin> {
    const { id } = due.participant;
    const { played } = this;
    if (!played) return neverCame(due, { code: 'browser-start', detail: 'no process of native probes is there' });
    const { ledger, workers, on } = played;
    const never = ledger.failureOf(id);
    if (never) return neverCame(due, never);
    const worker = on.indexOf(Math.min(...on));
    on[worker] = (on[worker] ?? 0) + 1;
    this.workerOf.set(id, worker);
    return this.joins.play(due, {
      ledger,
      host: this.host.id,
      place: { browser: worker, page: worker, native: true },
      start: (order) => workers.at(worker)?.start(order),
      giveUp: (probe) => workers.calls.fail(probe, 'page-error', 'its process does not answer'),
    });
  }

  private settle(event: FleetEvent): void {
    this.joins.settle(event, this.played?.ledger, (probe) => this.residents.has(probe));
    this.host.event(event);
  }

  /** Those whom it played before are gone, and lose nothing with it. */
  private lost(worker: number, why: string): void {
    if (!this.played || this.left) return;
    const probes = [...this.workerOf].flatMap(([id, its]) => (its === worker ? id : []));
    failPlayedBy(this.played.workers.calls, probes, why, (event) => this.host.event(event));
  }
}
