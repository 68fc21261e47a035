import { unlessAborted } from '../host/bounded-wait.js';
import { browsers, type Cast, castOf, membersOf } from '../model/cast.js';
import { LoadlineError } from '../model/errors.js';
import type { ProbeHostReading } from '../model/evidence.js';
import type { ArrivedJoin } from '../model/join.js';
import type { Players } from '../model/players.js';
import type { ProbeHost } from '../model/probe-host.js';
import type { Participant } from '../model/scenario.js';
import type { ProbeRecord } from '../model/trial.js';
import { areComing, ComingAndGoing, type DueParticipant, type FleetClock } from './coming-and-going.js';
import type { ComingOptions, Fleet, JoinOptions, StartFleet } from './fleet.js';
import { ReportedJoins } from './ledger/reported-joins.js';
import { monotonicClock } from './monotonic-clock.js';
import { startsOf } from './schedule.js';

/** The fleets of players on this host, by their names in casts; `browsers` plays who is in none. */
export type PlayerFleets = Readonly<Record<string, StartFleet>> & { readonly browsers: StartFleet };

/** Decides by which player each participant of a trial is played. */
type ChooseCast = (participants: readonly Participant[], seed: number) => Cast;

/** As the plan has it. */
export function castBy(players: Players): ChooseCast {
  return (participants, seed) => castOf(players, participants, { seed });
}

/** Each participant by its player: those without a browser, or who signal alone, and browsers among or beside them. */
export function mixedFleets(fleets: PlayerFleets, choose: ChooseCast, clock: FleetClock = monotonicClock): StartFleet {
  return (options, listener) => {
    const start = (player: string): Fleet => {
      const open = Object.hasOwn(fleets, player) ? fleets[player] : undefined;
      if (!open) throw new LoadlineError('E_INTERNAL', `Nothing plays ${player} here.`);
      return open(options, listener);
    };
    return new MixedFleet(start, (participants) => choose(participants, options.sentinelSeed ?? 0), clock);
  };
}

interface Part {
  readonly fleet: Fleet;
  readonly members: readonly Participant[];
}

/**
 * Several players on one host: one pace over all participants, and one reading of the host. When a party of those who
 * come and go is whole, and when it leaves, is known here alone: its members may be of several. One that plays all who
 * join at a time has them to itself.
 */
class MixedFleet implements Fleet {
  private readonly coming: ComingAndGoing;
  private readonly told = new ReportedJoins();
  private readonly fleets = new Map<string, Fleet>();
  /** In the order in which they were dealt. */
  private readonly dealt = new Set<string>();
  private readonly cast = new Map<string, string>();

  constructor(
    private readonly start: (player: string) => Fleet,
    private readonly choose: (participants: readonly Participant[]) => Cast,
    clock: FleetClock,
  ) {
    this.coming = new ComingAndGoing(clock, {
      join: (due) => this.hear(due),
      hangUp: (probes, outMs) => this.hangUp(probes, outMs),
    });
  }

  async standBy(participants: readonly Participant[], options: ComingOptions): Promise<void> {
    const parts = this.deal(participants);
    const [only, ...others] = parts;
    if (only && others.length === 0) return only.fleet.standBy?.(participants, options);
    await this.unlessOneFails(parts.map(({ fleet, members }) => fleet.standBy?.(members, this.ofPart(options))));
  }

  async join(participants: readonly Participant[], options: JoinOptions): Promise<void> {
    const parts = this.deal(participants);
    const [only, ...others] = parts;
    if (only && others.length === 0) return only.fleet.join(participants, options);
    if (areComing(options)) {
      const joins = parts.map(({ fleet, members }) => fleet.join(members, this.ofPart(options)));
      await Promise.all([this.coming.join(participants, options), ...joins]);
      return;
    }
    const schedule = startsOf(participants, options);
    const starts = new Map(participants.map(({ id }, nth) => [id, schedule[nth] ?? { startMs: 0, sourcesMs: 0 }]));
    const together = meeting(parts.length, options.begins ?? (async () => undefined));
    await this.unlessOneFails(
      parts.map(({ fleet, members }) =>
        fleet.join(members, { ...options, starts, begins: together.arrive }).finally(together.giveUp),
      ),
    );
  }

  hosts(): readonly ProbeHost[] {
    const [first] = this.fleets.values();
    return first?.hosts() ?? [];
  }

  /** Of each participant, what is known by whichever plays it. */
  records(): readonly ProbeRecord[] {
    const told = [...this.fleets.values()].map((fleet) => fleet.records()).filter(({ length }) => length > 0);
    if (told.length < 2) return told[0] ?? [];
    const known = new Map(told.flat().map((record) => [record.participant.id, record]));
    return [...this.dealt].flatMap((id) => known.get(id) ?? []);
  }

  /** One reading of the host that all share. */
  async readHosts(): Promise<readonly ProbeHostReading[]> {
    const readings = await Promise.all([...this.fleets.values()].map((fleet) => fleet.readHosts()));
    const [first, ...others] = readings.flat();
    return first ? [others.reduce(oneReading, first)] : [];
  }

  async hangUp(probes: readonly string[], outMs: number): Promise<void> {
    const isOf = (player: string) => (probe: string) => (this.cast.get(probe) ?? browsers) === player;
    await this.each((fleet, player) => fleet.hangUp?.(probes.filter(isOf(player)), outMs));
  }

  async leave(): Promise<void> {
    await this.coming.leave();
    await this.each((fleet) => fleet.leave());
  }

  async close(): Promise<void> {
    await this.each((fleet) => fleet.close());
    this.told.noMore();
    await this.coming.close();
  }

  private async each(act: (fleet: Fleet, player: string) => Promise<void> | undefined): Promise<void> {
    await Promise.all([...this.fleets].map(([player, fleet]) => act(fleet, player)));
  }

  /** Who plays them is decided once for each. */
  private deal(participants: readonly Participant[]): readonly Part[] {
    const fresh = participants.filter(({ id }) => !this.dealt.has(id));
    for (const one of fresh) this.dealt.add(one.id);
    for (const [probe, player] of this.choose(fresh)) this.cast.set(probe, player);
    return [...membersOf(this.cast, participants)].map(([player, members]) => {
      const fleet = this.fleets.get(player) ?? this.start(player);
      this.fleets.set(player, fleet);
      return { fleet, members };
    });
  }

  /** Without the one kind the other need not go on; what it still says about that is no other error. */
  private async unlessOneFails(works: readonly (Promise<void> | undefined)[]): Promise<void> {
    try {
      await Promise.all(works);
    } catch (error) {
      await this.close();
      await Promise.allSettled(works);
      throw error;
    }
  }

  /** A part begins its own when they are due, and is told who leaves. */
  private ofPart({ arriving, begins: _, ...options }: ComingOptions): ComingOptions {
    const { stayMs: _stayMs, lost: _lost, ...rest } = arriving;
    return {
      ...options,
      arriving: {
        ...rest,
        end: async () => undefined,
        onJoin: (join) => this.told.report(join),
        onStay: () => undefined,
        onAsleep: () => undefined,
      },
    };
  }

  /** What its part tells of the join of one who is due now. */
  private async hear({ participant: { id, session }, dueMs, nowMs, signal }: DueParticipant): Promise<ArrivedJoin> {
    const told = await unlessAborted(signal, this.told.of(id)).catch(() => undefined);
    const failure = { code: 'aborted', detail: 'the trial ended' } as const;
    return told ?? { participant: id, session, dueMs, endedMs: nowMs(), failure };
  }
}

/** What the host itself says is the same in both. */
function oneReading(one: ProbeHostReading, other: ProbeHostReading): ProbeHostReading {
  const throttled = [one.throttledShare, other.throttledShare].flatMap((share) => share ?? []);
  return {
    ...other,
    ...one,
    probeCores: one.probeCores + other.probeCores,
    ...(throttled.length > 0 ? { throttledShare: Math.max(...throttled) } : {}),
  };
}

/** Those who arrive wait for one another, and then for `begins`, which is asked once. */
function meeting(members: number, begins: () => Promise<void>) {
  let missing = members;
  let open: () => void = () => undefined;
  const all = new Promise<void>((resolve) => {
    open = resolve;
  });
  let begun: Promise<void> | undefined;
  const arrive = async (): Promise<void> => {
    missing -= 1;
    if (missing <= 0) open();
    await all;
    begun ??= begins();
    await begun;
  };
  // A member whose joining is over has arrived long ago, or never will: either way nobody waits for it.
  return { arrive, giveUp: () => open() };
}
