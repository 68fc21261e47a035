import type { Cast } from '../../model/cast.js';
import type { ProbeHostReading } from '../../model/evidence.js';
import type { ProbeHost } from '../../model/probe-host.js';
import type { Sample } from '../../model/sample.js';
import type { Participant } from '../../model/scenario.js';
import type { FleetEvent } from '../../model/trial.js';
import type { FleetListener, JoinOptions } from '../fleet.js';
import { ReportedJoins } from '../ledger/reported-joins.js';
import { BusSilence } from './bus.js';
import { ConductorSignalling } from './conductor-signalling.js';
import type { HeldHost } from './held-host.js';
import type { Batch, HostMessage } from './host-messages.js';
import { HostShare } from './host-share.js';
import { Moment } from './moment.js';
import { RecordsOfHost } from './records-of-host.js';
import type { JoinOrder, Order } from './wire.js';

type Failed = NonNullable<(HostMessage & { readonly is: 'joined' })['failed']>;

/** What one host is to play of a trial. */
export interface HostPart {
  readonly trial: string;
  readonly participants: readonly Participant[];
  readonly cast: Cast;
  readonly join: Pick<JoinOptions, 'negotiate' | 'begin'>;
  readonly listener: FleetListener;
  /** The fleet has ended. */
  readonly ended: AbortSignal;
}

/** The conductor's view of one host's part of a trial: what it has told, and what became of its probes. */
export class TrialOnHost {
  readonly ready = new Moment();
  readonly joined = new Moment();
  readonly left = new Moment();
  readonly closed = new Moment();
  /** Why joining ended before all were up or had failed. */
  joinFailed: Failed | undefined;
  /** Of those who come and go. */
  readonly joins = new ReportedJoins();
  readonly records: RecordsOfHost;
  private readings: ProbeHostReading[] = [];
  private nextNumber = 1;
  private beganLateMs: number | undefined;
  private samplesDropped = 0;
  private batchesLost = 0;
  private readonly share: HostShare;
  private readonly stopListening: () => void;
  private readonly over = new AbortController();
  readonly signalling: ConductorSignalling;
  readonly participants: readonly Participant[];
  private readonly trial: string;
  private readonly listener: FleetListener;

  constructor(
    readonly host: HeldHost,
    { trial, participants, cast, listener, join, ended }: HostPart,
  ) {
    this.trial = trial;
    this.participants = participants;
    this.listener = listener;
    this.signalling = new ConductorSignalling({
      ...join,
      trial,
      participants,
      order: (order) => host.order(order, ended),
      signal: AbortSignal.any([ended, this.over.signal]),
    });
    this.records = new RecordsOfHost(host.id, participants, cast);
    this.share = new HostShare(participants, performance.now());
    this.stopListening = host.whenLost((why) => this.lose(why));
  }

  /** Tells it to play its part. A host that does not take the order is lost. */
  async play(order: Omit<JoinOrder, 'do' | 'trial' | 'host'>, signal: AbortSignal): Promise<void> {
    await this.order({ do: 'join', trial: this.trial, host: this.host.id, ...order }, signal);
  }

  /** A host that refuses what it must do, or does not answer, is lost. */
  async order(order: Order, signal: AbortSignal = this.over.signal): Promise<void> {
    try {
      const reply = await this.host.order(order, signal);
      if (!reply.ok) this.host.lose(`it refused to ${order.do}: ${reply.message}`);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof BusSilence)) throw error;
      this.host.lose(`it did not answer the order to ${order.do}`);
    }
  }

  /** These leave since then, by the conductor's clock; resolves when they have. */
  async hangUp(probes: readonly string[], atMs: number): Promise<void> {
    const outMs = this.host.itsTime(atMs);
    this.records.hangUp(probes, outMs);
    await this.order({ do: 'hang-up', trial: this.trial, probes: [...probes], outMs });
    this.signalling.haveLeft(probes);
  }

  /** A host that tells more than it has to is lost, and nobody hears it after that. */
  take(batch: Batch): void {
    if (this.host.lost !== undefined || batch.number < this.nextNumber) return;
    const excess = this.share.excess(batch, performance.now());
    if (excess !== undefined) {
      this.host.lose(excess);
      return;
    }
    if (batch.number > this.nextNumber) {
      this.batchesLost += batch.number - this.nextNumber;
      this.warn(`${batch.number - this.nextNumber} batches of what host ${this.host.id} told were lost on the bus.`);
    }
    this.nextNumber = batch.number + 1;
    for (const told of batch.told) {
      this.hear(told);
      // What a host still says behind that it goes is of the way that it goes.
      if (this.host.lost !== undefined) return;
    }
  }

  /** The host, with what it has told of this trial as a whole. */
  facts(): ProbeHost {
    const { beganLateMs, samplesDropped, batchesLost } = this;
    const { spokenLegs } = this.signalling;
    return {
      ...this.host.facts(),
      ...(beganLateMs === undefined ? {} : { beganLateMs }),
      ...(spokenLegs === 0 ? {} : { spokenLegs }),
      ...(samplesDropped === 0 ? {} : { samplesDropped }),
      ...(batchesLost === 0 ? {} : { batchesLost }),
    };
  }

  /** Those that came since the last call. */
  newReadings(): readonly ProbeHostReading[] {
    const { readings } = this;
    this.readings = [];
    return readings;
  }

  /** Nothing that it still tells concerns this trial. */
  end(): void {
    this.stopListening();
    this.joins.noMore();
    this.over.abort(new Error('the trial is over'));
  }

  private hear(told: HostMessage): void {
    switch (told.is) {
      case 'samples':
        this.hearSamples(told.samples);
        break;
      case 'event':
        this.hearEvent(told.event);
        break;
      case 'records':
        for (const record of told.records) this.records.hear(record);
        break;
      case 'readings':
        this.readings.push(...told.readings.filter(({ host }) => host === this.host.id));
        break;
      case 'artifacts':
        if (this.records.isOwn(told.artifacts.probe) && this.share.takesArtifacts())
          this.listener.onArtifacts?.({ ...told.artifacts, host: this.host.id });
        break;
      case 'began':
        this.beganLateMs = told.lateMs;
        break;
      case 'dropped':
        this.samplesDropped += told.samples;
        this.warn(`Host ${this.host.id} could not send for so long that it let go of ${told.samples} samples.`);
        break;
      case 'going':
        this.host.lose(told.why);
        break;
      case 'came':
        if (this.records.isOwn(told.join.participant)) this.joins.report({ ...told.join, host: this.host.id });
        break;
      case 'asleep':
        for (const ms of told.ms) this.joins.onAsleep(ms);
        break;
      case 'joined':
        this.joinFailed = told.failed;
        // Then its browsers will not be there.
        if (told.failed) this.ready.happen();
        this.joined.happen();
        break;
      default:
        this[told.is].happen();
    }
  }

  private hearSamples(samples: readonly Sample[]): void {
    const own = samples.filter((sample) => this.records.isOfStay(sample));
    if (own.length > 0) this.listener.onSamples(own);
  }

  private hearEvent(event: FleetEvent): void {
    const { host } = this;
    if (event.type === 'probe-failed') {
      if (!this.records.isOwn(event.failure.probe)) return;
      this.listener.onEvent({ ...event, host: host.id, failure: this.records.theFailure(event.failure) });
    } else if (event.type === 'host-lost' || (event.type === 'app-value' && !this.records.isOwn(event.probe))) return;
    else this.listener.onEvent({ ...event, host: host.id });
  }

  /** Its probes fail with it. */
  private lose(detail: string): void {
    const atMs = Date.now();
    const { id } = this.host;
    const probes = this.records.there();
    this.listener.onEvent({ type: 'host-lost', atMs, host: id, probes, detail });
    for (const failure of this.records.fail(probes, { code: 'host-lost', atMs, detail }))
      this.listener.onEvent({ type: 'probe-failed', atMs, host: id, failure });
    for (const moment of [this.ready, this.joined, this.left, this.closed]) moment.happen();
    this.joins.noMore();
    this.over.abort(new Error(detail));
  }

  private warn(text: string): void {
    this.listener.onEvent({ type: 'warning', atMs: this.host.itsTime(Date.now()), host: this.host.id, text });
  }
}
