import { unlessAborted } from '../host/bounded-wait.js';
import { once } from '../host/once.js';
import type { ProbeHostReading } from '../model/evidence.js';
import type { ArrivedJoin } from '../model/join.js';
import type { ProbeHost } from '../model/probe-host.js';
import type { Participant } from '../model/scenario.js';
import type { FleetEvent, ProbeFailureCode, ProbeRecord } from '../model/trial.js';
import { areComing, ComingAndGoing, type DueParticipant, type FleetClock } from './coming-and-going.js';
import type { Fleet, FleetListener, FleetOptions, JoinOptions, StartFleet } from './fleet.js';
import { DepartedProbes } from './ledger/departed-probes.js';
import { OwnHost } from './ledger/own-host.js';
import { ProbeLedger } from './ledger/probe-ledger.js';
import { startAtPace } from './ledger/start-at-pace.js';
import { neverCame, WatchedJoins } from './ledger/watched-joins.js';
import { monotonicClock } from './monotonic-clock.js';
import type { ProbeOrder } from './page/wire.js';
import type { OpenPlayer, Player } from './player.js';

const tooEarly = ['aborted', 'the trial ended before this probe was up'] as const;

/** Probes on this machine, by whatever plays them. Starts nothing until `join` or `standBy`. */
export function localFleets(open: OpenPlayer, clock: FleetClock = monotonicClock): StartFleet {
  return (options, listener) => new LocalFleet(open, clock, options, listener);
}

interface Trial {
  readonly ledger: ProbeLedger;
  readonly player: Player;
}

/** All join at a pace and stay, or each comes when it is due and leaves while others go on. */
class LocalFleet implements Fleet {
  private readonly host: OwnHost;
  private readonly coming: ComingAndGoing;
  private readonly joins = new WatchedJoins();
  private readonly gone = new DepartedProbes();
  private readonly closed = new AbortController();
  /** Who is played now. */
  private readonly seated = new Set<string>();
  private readonly residents = new Set<string>();
  private trial: Trial | undefined;
  private left = false;

  constructor(
    private readonly open: OpenPlayer,
    clock: FleetClock,
    private readonly options: FleetOptions,
    listener: FleetListener,
  ) {
    this.host = new OwnHost(options.host, {
      onSamples: (samples) => {
        if (!this.left) listener.onSamples(this.gone.without(samples));
      },
      onEvent: (event) => listener.onEvent(event),
      onArtifacts: (artifacts) => listener.onArtifacts?.(artifacts),
    });
    this.coming = new ComingAndGoing(clock, {
      join: (due) => this.play(due),
      hangUp: (probes, outMs) => this.hangUp(probes, outMs),
    });
  }

  async standBy(participants: readonly Participant[], options: JoinOptions): Promise<void> {
    const signal = AbortSignal.any([options.signal, this.closed.signal]);
    const trial = await this.openTrial(participants, { ...options, signal });
    try {
      await this.launch(trial, signal);
    } catch (error) {
      await trial.player.close();
      throw error;
    }
  }

  async join(participants: readonly Participant[], options: JoinOptions): Promise<void> {
    if (areComing(options)) return this.coming.join(participants, options);
    const signal = AbortSignal.any([options.signal, this.closed.signal]);
    const trial = await this.openTrial(participants, { ...options, signal });
    const { ledger, player } = trial;
    const closeEarly = (): void => void player.close();
    signal.addEventListener('abort', closeEarly, { once: true });
    try {
      for (const one of participants) ledger.placed(one.id, { host: this.host.id, ...this.seat(player, one) });
      if (!(await this.launch(trial, signal))) return;
      if (options.begins) await unlessAborted(signal, options.begins());
      const { silence } = player;
      const starts = options.starts ? undefined : player.starts?.(options.pacePerSecond);
      await startAtPace({
        ...{ participants, ledger, options, signal },
        ...(starts ? { starts } : {}),
        start: (participant, deadlineMs) => this.start({ participant, deadlineMs }),
        ...(silence === undefined ? {} : { giveUp: (probe) => player.fail(probe, 'page-error', silence) }),
      });
    } catch (error) {
      this.failUnsettled(...tooEarly);
      await player.close();
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

  async readHosts(): Promise<readonly ProbeHostReading[]> {
    const readings = await this.host.read();
    // What they count since the last time would be lost without a reading to stand in.
    if (readings.length === 0) return [];
    const beside = this.trial?.player.read?.() ?? {};
    return readings.map((reading) => ({ ...reading, ...beside }));
  }

  async hangUp(probes: readonly string[], outMs: number): Promise<void> {
    const there = probes.filter((id) => this.seated.delete(id));
    for (const id of there) {
      this.gone.leaves(id, outMs);
      this.trial?.ledger.leaves(id, outMs);
    }
    await this.trial?.player.hangUp?.(there);
  }

  async leave(): Promise<void> {
    await this.coming.leave();
    if (!this.left) await this.trial?.player.leave();
    this.left = true;
  }

  readonly close = once(() => this.end());

  private async end(): Promise<void> {
    this.left = true;
    this.closed.abort(new Error('the fleet was closed'));
    await this.trial?.player.close();
    await this.coming.close();
    this.failUnsettled(...tooEarly);
  }

  private async openTrial(
    participants: readonly Participant[],
    { arriving, negotiate, begin, signal }: JoinOptions,
  ): Promise<Trial> {
    const stays = (one: Participant) => arriving?.partyOf(one) === undefined;
    for (const one of participants) if (stays(one)) this.residents.add(one.id);
    const ledger = new ProbeLedger(participants, [], (event) => this.settle(event));
    const player = await this.open({
      ...{ options: this.options, participants, stays, ledger, host: this.host },
      ...(arriving ? { arriving } : {}),
      joining: { negotiate, ...(begin ? { begin } : {}), signal },
      hears: (call) => this.joins.hear(call),
      haveLeft: () => this.left,
    });
    this.trial = { ledger, player };
    return this.trial;
  }

  /** Whether what plays them is there; where it did not come up, all have failed by that. */
  private async launch({ player }: Trial, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    const lacking = await player.launch();
    signal.throwIfAborted();
    if (lacking === undefined) this.host.watch(player.roots());
    else {
      this.failUnsettled('browser-start', lacking);
      await player.close();
    }
    return lacking === undefined;
  }

  private async play(due: DueParticipant): Promise<ArrivedJoin> {
    const { trial } = this;
    if (!trial) return neverCame(due, { code: 'browser-start', detail: 'nothing is there that plays it' });
    const { ledger, player } = trial;
    const never = ledger.failureOf(due.participant.id);
    if (never) return neverCame(due, never);
    return this.joins.play(due, {
      ...{ ledger, host: this.host.id, place: this.seat(player, due.participant) },
      start: (order) => this.start(order),
      giveUp: (probe) => player.fail(probe, 'page-error', player.silence ?? 'it does not answer'),
    });
  }

  private seat(player: Player, participant: Participant) {
    this.seated.add(participant.id);
    return player.seat(participant);
  }

  private start(order: ProbeOrder): void {
    const relay = this.options.relay?.accessFor(order.participant.id);
    this.trial?.player.start({ ...order, ...(relay ? { relay } : {}) });
  }

  private settle(event: FleetEvent): void {
    this.joins.settle(event, this.trial?.ledger, (probe) => this.residents.has(probe));
    this.host.event(event);
  }

  /** Of a fleet that joins nobody yet, nobody fails. */
  private failUnsettled(code: ProbeFailureCode, why: string): void {
    for (const probe of this.trial?.ledger.unsettled() ?? []) this.trial?.player.fail(probe, code, why);
  }
}
