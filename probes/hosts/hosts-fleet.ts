import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { atMost, unlessAborted } from '../../host/bounded-wait.js';
import { mostArtifacts } from '../../model/artifacts.js';
import { LoadlineError } from '../../model/errors.js';
import type { ProbeHostReading } from '../../model/evidence.js';
import type { HostClock, ProbeHost, ProbeHostId } from '../../model/probe-host.js';
import type { Participant } from '../../model/scenario.js';
import type { ProbeRecord } from '../../model/trial.js';
import type { Fleet, FleetListener, FleetOptions, JoinOptions, StartFleet } from '../fleet.js';
import { type ProbeStart, startSchedule } from '../schedule.js';
import type { HostPool } from './host-pool.js';
import { askedOf } from './join-order.js';
import { assertConnections } from './networks-on-hosts.js';
import { placed } from './placement.js';
import { errorOf } from './refusals.js';
import { SignalDesk } from './signal-desk.js';
import { TrialOnHost } from './trial-on-host.js';
import type { JoinOrder } from './wire.js';

/** From the moment at which the browsers of all hosts are there: so long the order to begin may take to the last of them. */
const leadMs = 500;
/** So much later than the last of its probes must be up or have failed, a host may say so. */
const joinedSlackMs = 15_000;
const leaveBoundMs = 10_000;
/** The longest that a host may take to say that its browsers have ended. */
const closeBoundMs = 20_000;

/** Probes on the hosts of a pool, which outlives the trial. */
export function hostFleets(pool: HostPool): StartFleet {
  return (options, listener) => new HostsFleet(pool, options, listener);
}

class HostsFleet implements Fleet {
  private readonly trial = randomUUID();
  private readonly ended = new AbortController();
  private order: readonly string[] = [];
  private parts: readonly TrialOnHost[] = [];
  private partAt: ReadonlyMap<ProbeHostId, TrialOnHost> = new Map();
  private partOf: ReadonlyMap<string, TrialOnHost> = new Map();
  private stopPlaying: (() => void) | undefined;
  private closing: Promise<void> | undefined;
  private kept = 0;

  constructor(
    private readonly pool: HostPool,
    private readonly options: FleetOptions,
    private readonly listener: FleetListener,
  ) {}

  async join(participants: readonly Participant[], join: JoinOptions): Promise<void> {
    this.order = participants.map(({ id }) => id);
    const signal = AbortSignal.any([join.signal, this.ended.signal]);
    setMaxListeners(0, signal);
    const schedule = startSchedule(participants, join.pacePerSecond);
    const lastStartMs = schedule.at(-1)?.startMs ?? 0;
    const orders = this.deal(participants, join, schedule);
    try {
      await unlessAborted(
        signal,
        this.all((part) => part.play(orders(part), signal)),
      );
      await unlessAborted(
        signal,
        this.all((part) => part.ready.happened),
      );
      const beginMs = Date.now() + leadMs;
      const { trial } = this;
      void this.all((part) => part.order({ do: 'begin', trial, atMs: part.host.itsTime(beginMs) }));
      const joinedWithinMs = leadMs + lastStartMs + join.deadlineMs + joinedSlackMs;
      await unlessAborted(
        signal,
        this.all(async (part) => {
          const { inTime } = await atMost(joinedWithinMs, part.joined.happened);
          if (!inTime) part.host.lose('it did not say in time what became of its joins');
        }),
      );
    } finally {
      if (signal.aborted) void this.all((part) => part.order({ do: 'stop', trial: this.trial }));
    }
    for (const { host, joinFailed } of this.parts) {
      if (!joinFailed) continue;
      const { message, why, code } = joinFailed;
      throw errorOf({ message: `On host ${host.id}: ${message}`, ...(why ? { why } : {}), ...(code ? { code } : {}) });
    }
  }

  hosts(): readonly ProbeHost[] {
    return this.parts.map((part) => part.facts());
  }

  clockOf(host: ProbeHostId): HostClock | undefined {
    return this.partAt.get(host)?.host.facts().clock;
  }

  records(): readonly ProbeRecord[] {
    return this.order.flatMap((probe) => this.partOf.get(probe)?.recordOf(probe) ?? []);
  }

  async readHosts(): Promise<readonly ProbeHostReading[]> {
    return this.parts.flatMap((part) => part.newReadings());
  }

  async leave(): Promise<void> {
    const { trial } = this;
    const left = this.all(async (part) => {
      void part.order({ do: 'leave', trial });
      await part.left.happened;
    });
    await atMost(leaveBoundMs, left);
  }

  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  private async end(): Promise<void> {
    const { trial } = this;
    this.ended.abort(new Error('the fleet was closed'));
    await this.all(async (part) => {
      if (part.host.lost === undefined) void part.order({ do: 'close', trial });
      const { inTime } = await atMost(closeBoundMs, part.closed.happened);
      if (!inTime) part.host.lose(`it did not say in ${closeBoundMs / 1000} s that its browsers have ended`);
    });
    this.stopPlaying?.();
    for (const part of this.parts) part.end();
  }

  /** Places the participants, and makes what is told of each host's part. Throws E_HOSTS_LOST, E_NETWORK. */
  private deal(
    participants: readonly Participant[],
    join: JoinOptions,
    schedule: readonly ProbeStart[],
  ): (part: TrialOnHost) => Omit<JoinOrder, 'do' | 'trial' | 'host'> {
    const there = this.pool.hosts();
    for (const { id, lost } of this.pool.lostHosts()) {
      this.listener.onEvent({
        type: 'warning',
        atMs: Date.now(),
        text: `Host ${id} plays no probes any more: ${lost}.`,
      });
    }
    if (there.length === 0) throw noneLeft(this.pool);
    const choice = placed(participants, this.pool.roomy(), this.pool.spread);
    this.warnOfCrowds(choice);
    const byHost = new Map(there.map(({ id }) => [id, participants.filter((one) => choice.get(one.id) === id)]));
    this.parts = there
      .filter(({ id }) => (byHost.get(id) ?? []).length > 0)
      .map((host) => {
        const own = byHost.get(host.id) ?? [];
        assertConnections(host.id, own);
        const { negotiate, begin } = join;
        const gone = new AbortController();
        host.whenLost((why) => gone.abort(new Error(why)));
        const desk = new SignalDesk({
          trial: this.trial,
          participants: own,
          negotiate,
          ...(begin ? { begin } : {}),
          order: (order) => host.order(order, this.ended.signal),
          signal: AbortSignal.any([this.ended.signal, gone.signal]),
        });
        return new TrialOnHost(host, desk, this.trial, own, this.told());
      });
    this.partAt = new Map(this.parts.map((part) => [part.host.id, part]));
    this.partOf = new Map(participants.flatMap(({ id }) => pairOf(id, this.partAt.get(choice.get(id) ?? ''))));
    const byInstance = new Map(this.parts.map((part) => [part.host.offer.instance, part]));
    this.stopPlaying = this.pool.play(this.trial, {
      onBatch: (batch) => byInstance.get(batch.host)?.take(batch),
      onSignal: async (host, signal) =>
        (await byInstance.get(host)?.desk.answer(signal)) ?? { ok: false, message: `host ${host} plays nothing here` },
    });
    const starts = new Map(schedule.map((start, nth) => [this.order[nth] ?? '', start]));
    return ({ host }) => {
      const own = byHost.get(host.id) ?? [];
      return {
        ...askedOf(own, this.options),
        starts: Object.fromEntries(own.map(({ id }) => [id, starts.get(id) ?? { startMs: 0, sourcesMs: 0 }])),
        pacePerSecond: join.pacePerSecond,
        deadlineMs: join.deadlineMs,
      };
    };
  }

  /** It is played all the same: what an overloaded host does to a trial, its readings say. */
  private warnOfCrowds(choice: ReadonlyMap<string, string>): void {
    for (const { id, carries } of this.pool.roomy()) {
      const count = [...choice.values()].filter((host) => host === id).length;
      if (carries === undefined || count <= carries) continue;
      const text = `Host ${id} plays ${count} probes; it was calibrated to carry ${carries}.`;
      this.listener.onEvent({ type: 'warning', atMs: Date.now(), text });
    }
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

  private async all(act: (part: TrialOnHost) => Promise<void>): Promise<void> {
    await Promise.all(this.parts.map(act));
  }
}

function noneLeft(pool: HostPool): LoadlineError {
  return new LoadlineError('E_HOSTS_LOST', 'No probe host is left.', {
    where: '--hosts',
    why: pool
      .lostHosts()
      .map(({ id, lost }) => `${id}: ${lost}`)
      .join('\n'),
    todo: 'see that the hosts and the bus are there (loadline hosts), then go on with --resume',
  });
}

function pairOf<T>(id: string, value: T | undefined): (readonly [string, T])[] {
  return value === undefined ? [] : [[id, value]];
}
