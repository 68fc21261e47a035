import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { atMost, unlessAborted } from '../../host/bounded-wait.js';
import { once } from '../../host/once.js';
import { mostArtifacts } from '../../model/artifacts.js';
import { type Cast, castOf, membersOf } from '../../model/cast.js';
import type { ProbeHostReading } from '../../model/evidence.js';
import type { Players } from '../../model/players.js';
import type { HostClock, ProbeHost, ProbeHostId } from '../../model/probe-host.js';
import type { Participant } from '../../model/scenario.js';
import type { ProbeRecord } from '../../model/trial.js';
import { areComing } from '../coming-and-going.js';
import type { Arriving, ComingOptions, Fleet, FleetListener, FleetOptions, JoinOptions, StartFleet } from '../fleet.js';
import { ComingOnHosts } from './coming-on-hosts.js';
import { DealtTrial, type DealtTrialOptions } from './dealt-trial.js';
import type { HostPool } from './host-pool.js';
import { orderedPart } from './join-order.js';
import { placed, placedComing } from './placement.js';
import { errorOf } from './refusals.js';
import type { TrialOnHost } from './trial-on-host.js';
import { assertTellable, noneLeft } from './unplayable.js';
import { afterOthersConnected, scheduleFor, visitOrders } from './visit-on-hosts.js';
import type { JoinOrder } from './wire.js';

/** How long the order to begin may take to the last host once the browsers of all are there. */
const leadMs = 500;
/** So much later than the last of its probes must be up or have failed, a host may say so. */
const joinedSlackMs = 15_000;
const leaveBoundMs = 10_000;
/** The longest that a host may take to say that its browsers have ended. */
const closeBoundMs = 20_000;

/**
 * Probes on the hosts of a pool, which outlives the trial. By which player each participant is played is decided over
 * all hosts.
 */
export function hostFleets(pool: HostPool, players: Players = { kind: 'full' }): StartFleet {
  return (options, listener) => new HostsFleet(pool, players, options, listener);
}

/** Who speaks and pauses does so by the host's clock, and is judged by the conductor's. */
const speakingBy = ({ host, participants }: TrialOnHost): readonly Participant[] =>
  participants.map((one) => ({
    ...one,
    legs: one.legs.map((leg) => (leg.speech ? { ...leg, speech: { ...leg.speech, aheadMs: host.itsTime(0) } } : leg)),
  }));

class HostsFleet implements Fleet {
  private readonly trial = randomUUID();
  private readonly ended = new AbortController();
  private dealt: DealtTrial | undefined;
  private coming: ComingOnHosts | undefined;
  private kept = 0;
  /** Absent where participants come and go. */
  private pacePerSecond: number | undefined;

  constructor(
    private readonly pool: HostPool,
    private readonly players: Players,
    private readonly options: FleetOptions,
    private readonly listener: FleetListener,
  ) {}

  async standBy(participants: readonly Participant[], join: ComingOptions): Promise<void> {
    const { arriving, pacePerSecond, deadlineMs } = join;
    const staying = (among: readonly Participant[]) => among.filter((one) => arriving.partyOf(one) === undefined);
    const atOnce = (among: readonly Participant[]) => staying(among).length + arriving.atOnce(among);
    // Who comes with a room to visit finds its other members on the same host: nobody else knows when they connect.
    const spread = this.players.kind === 'visiting' ? 'sessions-together' : this.pool.spread;
    const choice = placedComing(participants, this.roomy(), { spread, atOnce: atOnce(participants) });
    const cast = this.castOn(participants, choice);
    const dealt = this.deal(participants, { choice, cast }, join, atOnce);
    await this.ready(dealt, this.signalOf(join), ({ participants: own }) => ({
      ...{ starts: {}, pacePerSecond, deadlineMs },
      arriving: { stay: staying(own).map(({ id }) => id), atOnce: atOnceByPlayer(own, cast, arriving) },
    }));
    assertJoining(dealt);
    this.coming = new ComingOnHosts(dealt, this.trial);
  }

  async join(participants: readonly Participant[], join: JoinOptions): Promise<void> {
    if (this.coming && areComing(join)) return this.coming.join(participants, join);
    const signal = this.signalOf(join);
    const { pacePerSecond, deadlineMs } = join;
    const schedule = scheduleFor(this.players)(participants, pacePerSecond);
    this.pacePerSecond = pacePerSecond;
    const starts = new Map(participants.map(({ id }, nth) => [id, schedule[nth]]));
    const choice = placed(participants, this.roomy(), this.pool.spread);
    const cast = this.castOn(participants, choice);
    const dealt = this.deal(participants, { choice, cast }, join, ({ length }) => length);
    const { trial } = this;
    try {
      await this.ready(dealt, signal, ({ participants: own }) => ({
        starts: Object.fromEntries(own.map(({ id }) => [id, starts.get(id) ?? { startMs: 0, sourcesMs: 0 }])),
        ...{ pacePerSecond, deadlineMs },
      }));
      const beginMs = Date.now() + leadMs;
      void dealt.each((part) => part.order({ do: 'begin', trial, atMs: part.host.itsTime(beginMs) }));
      const joinedWithinMs = leadMs + (schedule.at(-1)?.startMs ?? 0) + deadlineMs + joinedSlackMs;
      await unlessAborted(
        signal,
        dealt.each(async (part) => {
          const { inTime } = await atMost(joinedWithinMs, part.joined.happened);
          if (!inTime) part.host.lose('it did not say in time what became of its joins');
        }),
      );
    } finally {
      if (signal.aborted) void dealt.each((part) => part.order({ do: 'stop', trial }));
    }
    assertJoining(dealt);
  }

  hosts(): readonly ProbeHost[] {
    return (this.dealt?.parts ?? []).map((part) => part.facts());
  }

  clockOf(host: ProbeHostId): HostClock | undefined {
    return this.dealt?.on(host)?.host.clock;
  }

  readonly markedClock = (clock: number): HostClock | undefined => this.dealt?.markedClock(clock);

  records(): readonly ProbeRecord[] {
    const records = this.dealt?.records() ?? [];
    const { players, pacePerSecond } = this;
    if (players.kind !== 'visiting' || pacePerSecond === undefined) return records;
    return afterOthersConnected(records, pacePerSecond);
  }

  async readHosts(): Promise<readonly ProbeHostReading[]> {
    return (this.dealt?.parts ?? []).flatMap((part) => part.newReadings());
  }

  async leave(): Promise<void> {
    await this.coming?.leave();
    const left = this.dealt?.each(async (part) => {
      void part.order({ do: 'leave', trial: this.trial });
      await part.left.happened;
    });
    if (left) await atMost(leaveBoundMs, left);
  }

  readonly close = once(() => this.end());

  private async end(): Promise<void> {
    this.ended.abort(new Error('the fleet was closed'));
    await this.dealt?.each(async (part) => {
      if (part.host.lost === undefined) void part.order({ do: 'close', trial: this.trial });
      const { inTime } = await atMost(closeBoundMs, part.closed.happened);
      if (!inTime) part.host.lose(`it did not say in ${closeBoundMs / 1000} s that its browsers have ended`);
    });
    this.dealt?.end();
    await this.coming?.close();
  }

  private signalOf(join: JoinOptions): AbortSignal {
    const signal = AbortSignal.any([join.signal, this.ended.signal]);
    setMaxListeners(0, signal);
    return signal;
  }

  /** Decided once, over all hosts. */
  private castOn(participants: readonly Participant[], hostOf: ReadonlyMap<string, ProbeHostId>): Cast {
    return castOf(this.players, participants, { seed: this.options.sentinelSeed ?? 0, hostOf });
  }

  /** Those that play; of the others it is told why they do not. Throws E_HOSTS_LOST. */
  private roomy() {
    for (const { id, lost } of this.pool.lostHosts()) this.warn(`Host ${id} plays no probes any more: ${lost}.`);
    const there = this.pool.roomy();
    if (there.length === 0) throw noneLeft(this.pool);
    return there;
  }

  /** Throws E_NETWORK. */
  private deal(
    participants: readonly Participant[],
    how: Pick<DealtTrialOptions, 'choice' | 'cast'>,
    join: JoinOptions,
    /** How many of these are there at a time. */
    atOnce: (among: readonly Participant[]) => number,
  ): DealtTrial {
    const { pool, trial, ended } = this;
    const listener = this.told();
    const dealt = new DealtTrial({ pool, trial, participants, ...how, join, listener, ended: ended.signal });
    for (const part of dealt.parts) assertTellable(part);
    this.dealt = dealt;
    // It is played all the same: what an overloaded host does to a trial, its readings say.
    for (const { host, participants: own } of dealt.parts) {
      const count = atOnce(own);
      if (host.carries === undefined || count <= host.carries) continue;
      this.warn(`Host ${host.id} plays ${count} probes; it was calibrated to carry ${host.carries}.`);
    }
    return dealt;
  }

  /** Gives each host its part, until the browsers of all are there. */
  private async ready(
    dealt: DealtTrial,
    signal: AbortSignal,
    partOf: (part: TrialOnHost) => Pick<JoinOrder, 'starts' | 'pacePerSecond' | 'deadlineMs' | 'arriving'>,
  ): Promise<void> {
    const visitOf = visitOrders(this.players, this.pool.app, dealt.records());
    const play = (part: TrialOnHost) => {
      const { ownClock } = part.host;
      const own = orderedPart(speakingBy(part), this.options, dealt.cast);
      return part.play({ ownClock, ...own, ...partOf(part), ...visitOf(part.participants) }, signal);
    };
    await unlessAborted(signal, dealt.each(play));
    await unlessAborted(
      signal,
      dealt.each((part) => part.ready.happened),
    );
  }

  /** Of all hosts together no more artifacts are kept than of one. */
  private told(): FleetListener {
    return {
      ...this.listener,
      onSamples: (samples) => this.listener.onSamples(samples),
      onEvent: (event) => this.listener.onEvent(event),
      onArtifacts: (artifacts) => {
        this.kept += 1;
        if (this.kept <= mostArtifacts) this.listener.onArtifacts?.(artifacts);
      },
    };
  }

  private warn(text: string): void {
    this.listener.onEvent({ type: 'warning', atMs: Date.now(), text });
  }
}

/** Throws what ended joining on a host before all were up or had failed. */
function assertJoining({ parts }: DealtTrial): void {
  for (const { host, joinFailed } of parts) {
    if (!joinFailed) continue;
    const { message, why, code } = joinFailed;
    throw errorOf({ message: `On host ${host.id}: ${message}`, ...(why ? { why } : {}), ...(code ? { code } : {}) });
  }
}

function atOnceByPlayer(
  own: readonly Participant[],
  cast: Cast,
  { atOnce }: Pick<Arriving, 'atOnce'>,
): NonNullable<JoinOrder['arriving']>['atOnce'] {
  return Object.fromEntries([...membersOf(cast, own)].map(([player, members]) => [player, atOnce(members)]));
}
