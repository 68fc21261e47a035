import { unlessAborted } from '../host/bounded-wait.js';
import type { ProbeHostReading } from '../model/evidence.js';
import type { ArrivedJoin } from '../model/join.js';
import { nativeOf, type Sentinels } from '../model/native-probes.js';
import type { ProbeHost } from '../model/probe-host.js';
import type { Participant } from '../model/scenario.js';
import type { ProbeRecord } from '../model/trial.js';
import { ComingAndGoing, type DueParticipant, type FleetClock } from './coming-and-going.js';
import type { Fleet, JoinOptions, StartFleet } from './fleet.js';
import { ReportedJoins } from './ledger/reported-joins.js';
import { monotonicClock } from './monotonic-clock.js';
import { startsOf } from './schedule.js';

/** Who of the participants has no browser. */
export type ChooseNative = (participants: readonly Participant[], seed: number) => ReadonlySet<string>;

/** All who can be native, without the sentinels. */
export function nativeButSentinels(sentinels: Sentinels): ChooseNative {
  return (participants, seed) => nativeOf(participants, { sentinels, seed });
}

/** What a mixed fleet is made of. */
interface MixedKinds {
  readonly browsers: StartFleet;
  readonly natives: StartFleet;
  readonly choose: ChooseNative;
}

/** Native probes, and browsers among them that say what a participant notices. */
export function mixedFleets({ browsers, natives, choose }: MixedKinds, clock: FleetClock = monotonicClock): StartFleet {
  return (options, listener) =>
    new MixedFleet(
      browsers(options, listener),
      natives(options, listener),
      (participants) => choose(participants, options.sentinelSeed ?? 0),
      clock,
    );
}

/**
 * Both kinds on one host: one pace over all participants, and one reading of the host. When a party of those who come
 * and go is whole, and when it leaves, is known here alone: its members may be of both kinds.
 */
class MixedFleet implements Fleet {
  private readonly arrivals: ComingAndGoing;
  private readonly told = new ReportedJoins();
  private participants: readonly Participant[] = [];
  private native: ReadonlySet<string> = new Set();

  constructor(
    private readonly browsers: Fleet,
    private readonly natives: Fleet,
    private readonly choose: (participants: readonly Participant[]) => ReadonlySet<string>,
    clock: FleetClock,
  ) {
    this.arrivals = new ComingAndGoing(clock, {
      join: (due) => this.hear(due),
      hangUp: (probes, outMs) => this.hangUp(probes, outMs),
    });
  }

  async standBy(participants: readonly Participant[], options: JoinOptions): Promise<void> {
    this.deal(participants);
    const parts = this.partsOf(participants);
    await this.unlessOneFails(parts.map(({ fleet, members }) => fleet.standBy?.(members, this.coming(options))));
  }

  async join(participants: readonly Participant[], options: JoinOptions): Promise<void> {
    if (options.arriving) {
      const joins = this.partsOf(participants).map(({ fleet, members }) => fleet.join(members, this.coming(options)));
      await Promise.all([this.arrivals.join(participants, options), ...joins]);
      return;
    }
    this.deal(participants);
    const parts = this.partsOf(participants);
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
    return this.browsers.hosts();
  }

  /** Of each participant, what is known by whichever plays it. */
  records(): readonly ProbeRecord[] {
    const records = [...this.browsers.records(), ...this.natives.records()];
    const known = new Map(records.map((record) => [record.participant.id, record]));
    return this.participants.flatMap(({ id }) => known.get(id) ?? []);
  }

  /** One reading of the host that both share. */
  async readHosts(): Promise<readonly ProbeHostReading[]> {
    const [ofBrowsers, ofNatives] = await Promise.all([this.browsers.readHosts(), this.natives.readHosts()]);
    const [browsers, natives] = [ofBrowsers[0], ofNatives[0]];
    return browsers && natives ? [oneReading(browsers, natives)] : [...ofBrowsers, ...ofNatives];
  }

  async hangUp(probes: readonly string[], outMs: number): Promise<void> {
    const [native, others] = [true, false].map((is) => probes.filter((id) => this.native.has(id) === is));
    await Promise.all([this.natives.hangUp?.(native ?? [], outMs), this.browsers.hangUp?.(others ?? [], outMs)]);
  }

  async leave(): Promise<void> {
    await this.arrivals.leave();
    await Promise.all([this.browsers.leave(), this.natives.leave()]);
  }

  async close(): Promise<void> {
    await Promise.all([this.browsers.close(), this.natives.close()]);
    this.told.noMore();
    await this.arrivals.close();
  }

  private deal(participants: readonly Participant[]): void {
    this.participants = participants;
    this.native = this.choose(participants);
  }

  private partsOf(participants: readonly Participant[]) {
    return [
      { fleet: this.browsers, members: participants.filter(({ id }) => !this.native.has(id)) },
      { fleet: this.natives, members: participants.filter(({ id }) => this.native.has(id)) },
    ].filter(({ members }) => members.length > 0);
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
  private coming({ arriving, begins: _, ...options }: JoinOptions): JoinOptions {
    if (!arriving) return options;
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

function oneReading(browsers: ProbeHostReading, natives: ProbeHostReading): ProbeHostReading {
  const throttled = [browsers.throttledShare, natives.throttledShare].flatMap((share) => share ?? []);
  const { socketDrops, nativeLateMs } = natives;
  return {
    ...browsers,
    probeCores: browsers.probeCores + natives.probeCores,
    ...(throttled.length > 0 ? { throttledShare: Math.max(...throttled) } : {}),
    ...(socketDrops === undefined ? {} : { socketDrops }),
    ...(nativeLateMs === undefined ? {} : { nativeLateMs }),
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
