import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { unlessAborted } from '../../host/bounded-wait.js';
import type { Cast } from '../../model/cast.js';
import { lateStartMs } from '../../model/probe-host.js';
import type { IceCandidate, LegRequest } from '../../model/signalling.js';
import { type Allowed, forbiddenText } from '../allowed.js';
import type { Fleet, FleetOptions, JoinOptions } from '../fleet.js';
import { mixedFleets } from '../mixed-fleet.js';
import type { Bus } from './bus.js';
import { ChangedRecords } from './changed-records.js';
import { ComingPart } from './coming-part.js';
import { castAsked, type FleetsOfHost, fleetOptions } from './fleet-as-asked.js';
import type { HostMessage } from './host-messages.js';
import { BatchOutbox } from './outbox.js';
import { refusalFrom } from './refusals.js';
import { SignalRelay, type Speakers } from './signal-relay.js';
import { type HostAddress, toldSubject } from './subjects.js';
import type { JoinOrder } from './wire.js';

interface PlayedTrialOptions extends FleetsOfHost {
  readonly bus: Bus;
  readonly lease: string;
  /** This host, as the bus knows it. */
  readonly address: HostAddress;
  readonly chromiumPath: string;
  /** Words in front of a program's own that start it inside a participant's network. */
  readonly inside?: FleetOptions['inside'];
  readonly allowed: Allowed;
  readonly speakers: Speakers;
  readonly now: () => number;
}

/** Of what waits to be sent, a reading is the smallest; what changed in records is looked for as often. */
const tellEveryMs = 500;
const readEveryMs = 1000;
const sendWithinMs = 3000;
/** A batch is half of what the bus carries at most: others share it. */
const batchShare = 0.5;

/** A host's part of one trial: its fleet, what it tells the conductor, and signalling over the bus. */
export class PlayedTrial {
  readonly id: string;
  /** Resolves when its browsers have ended, and all that there was to tell has arrived or is sent no more. */
  readonly over: Promise<void>;
  private isOver: () => void = () => undefined;
  private readonly options: PlayedTrialOptions;
  private readonly host: string;
  private readonly cast: Cast;
  private readonly fleet: Fleet;
  private readonly outbox: BatchOutbox;
  private readonly relay: SignalRelay;
  private readonly joining = new AbortController();
  private readonly ended = new AbortController();
  private readonly changed: ChangedRecords;
  private begin: ((atMs: number) => void) | undefined;
  private coming: ComingPart | undefined;

  constructor(order: JoinOrder, options: PlayedTrialOptions) {
    const { bus, lease, address, allowed, speakers } = options;
    const { trial, host } = order;
    this.id = trial;
    this.over = new Promise((resolve) => {
      this.isOver = resolve;
    });
    this.host = host;
    this.changed = new ChangedRecords(host);
    this.options = options;
    this.outbox = new BatchOutbox({
      host: address.instance,
      trial,
      textBytesMax: bus.textBytesMax * batchShare,
      send: (text, id) => bus.append(toldSubject(lease, address), text, id, sendWithinMs),
    });
    // Each signalling request of the probes listens for the end.
    setMaxListeners(0, this.ended.signal);
    this.relay = new SignalRelay({
      bus,
      lease,
      address,
      trial,
      allowed,
      // No failure of the probe, which would count against the media server: the host cannot play this trial.
      onForbidden: (why) => this.cannotGoOn(why),
      speakerOf: async (kind) => speakers.get(kind)?.(),
      signal: this.ended.signal,
    });
    const { words } = allowed;
    const onForbidden = (from: string): void => this.cannotGoOn(forbiddenText(from));
    this.cast = castAsked(order);
    const own = { ...options, ...(words ? { allow: { words, onForbidden } } : {}) };
    this.fleet = mixedFleets(options.fleets, () => this.cast)(fleetOptions(order, own), {
      onSamples: (samples) => this.tell({ is: 'samples', samples }),
      onEvent: (event) => {
        this.tellRecords();
        this.tell({ is: 'event', event });
      },
      onArtifacts: (artifacts) => this.tell({ is: 'artifacts', artifacts }),
    });
    void (order.arriving ? this.standBy(order, order.arriving) : this.play(order));
    void this.every(readEveryMs, async () => {
      const readings = await this.fleet.readHosts();
      if (readings.length > 0) this.tell({ is: 'readings', readings });
    });
    void this.every(tellEveryMs, async () => {
      this.tellRecords();
      this.coming?.tellAsleep();
    });
  }

  /** The pace begins at this time of the host's own clock. */
  beginAt(atMs: number): void {
    this.begin?.(atMs);
  }

  /** Throws where nobody comes and goes. */
  comers(): ComingPart {
    if (this.coming) return this.coming;
    throw new Error('nobody comes and goes in this trial');
  }

  /** The conductor is told why, a sentence part: this host is lost to it. */
  cannotGoOn(why: string): void {
    this.tell({ is: 'going', why });
  }

  networkChanged(network: string): void {
    this.tell({ is: 'event', event: { type: 'network', host: this.host, atMs: this.options.now(), network } });
  }

  warn(text: string): void {
    this.tell({ is: 'event', event: { type: 'warning', host: this.host, atMs: this.options.now(), text } });
  }

  candidate(leg: string, candidate: IceCandidate): void {
    this.relay.candidate(leg, candidate);
  }

  renegotiate(leg: string, offer: Parameters<LegRequest['renegotiate']>[0]): Promise<string> {
    return this.relay.renegotiate(leg, offer);
  }

  stopJoining(): void {
    this.joining.abort(new Error('the conductor has ended joining'));
  }

  async leave(): Promise<void> {
    await this.fleet.leave();
    this.tellRecords();
    this.tell({ is: 'left' });
  }

  /** Ends the browsers, and tells what became of the probes. */
  async close(): Promise<void> {
    await this.fleet.close();
    this.ended.abort(new Error('the trial is over'));
    this.tellRecords();
    this.tell({ is: 'closed' });
    void this.outbox.sent().then(this.isOver);
  }

  /** The host goes while the trial is under way. */
  async go(why: string, withinMs: number): Promise<void> {
    this.tell({ is: 'going', why });
    const signal = AbortSignal.timeout(withinMs);
    await Promise.allSettled([this.close(), unlessAborted(signal, this.outbox.sent())]);
    this.outbox.close();
  }

  /** Nobody is there to be told any more: ends the browsers, and sends nothing. */
  async abandon(): Promise<void> {
    this.outbox.close();
    this.ended.abort(new Error('the conductor is gone'));
    await this.fleet.close();
    this.isOver();
  }

  private async play(order: JoinOrder): Promise<void> {
    const begun = new Promise<number>((resolve) => {
      this.begin = resolve;
    });
    await this.joined(
      this.fleet.join(order.participants, {
        ...this.joinOptions(order),
        starts: new Map(Object.entries(order.starts)),
        begins: async () => {
          this.tell({ is: 'ready' });
          await this.untilItBegins(await begun);
        },
      }),
    );
  }

  private async standBy(order: JoinOrder, arriving: NonNullable<JoinOrder['arriving']>): Promise<void> {
    const { fleet, host } = this;
    const { now } = this.options;
    const coming = new ComingPart({
      ...{ fleet, host, arriving, now, participants: order.participants, joining: this.joinOptions(order) },
      cast: this.cast,
      tell: (told) => this.tell(told),
      onLeft: (probes) => this.relay.haveLeft(probes),
    });
    this.coming = coming;
    await this.joined(coming.standBy().then(() => this.tell({ is: 'ready' })));
  }

  private joinOptions({ pacePerSecond, deadlineMs }: JoinOrder): JoinOptions {
    const { negotiate, begin } = this.relay;
    const signal = AbortSignal.any([this.joining.signal, this.ended.signal]);
    return { pacePerSecond, deadlineMs, negotiate, begin, signal };
  }

  private async joined(joining: Promise<void>): Promise<void> {
    const failed = await joining.then(
      () => undefined,
      (error: unknown) => refusalFrom(error),
    );
    this.tellRecords();
    if (!failed) return this.tell({ is: 'joined' });
    const { ok: _, ...why } = failed;
    this.tell({ is: 'joined', failed: why });
  }

  private async untilItBegins(atMs: number): Promise<void> {
    const { now } = this.options;
    await sleep(Math.max(0, atMs - now()), undefined, { signal: this.ended.signal });
    const lateByMs = Math.max(0, now() - atMs);
    this.tell({ is: 'began', lateMs: lateByMs });
    if (lateByMs <= lateStartMs) return;
    this.warn(`Host ${this.host} began to join its probes ${Math.round(lateByMs)} ms later than the other hosts.`);
  }

  /** Those that have changed. */
  private tellRecords(): void {
    const records = this.changed.among(this.fleet.records());
    if (records.length > 0) this.tell({ is: 'records', records });
  }

  private tell(told: HostMessage): void {
    this.outbox.tell(told);
  }

  private async every(ms: number, act: () => Promise<void>): Promise<void> {
    const { signal } = this.ended;
    while (!signal.aborted) {
      await act().catch(() => undefined);
      await sleep(ms, undefined, { signal }).catch(() => undefined);
    }
  }
}
