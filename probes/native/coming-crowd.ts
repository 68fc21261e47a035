import { unlessAborted } from '../../host/bounded-wait.js';
import { LoadlineError } from '../../model/errors.js';
import type { ProbeHostReading } from '../../model/evidence.js';
import type { ArrivedJoin } from '../../model/join.js';
import type { ProbeHost } from '../../model/probe-host.js';
import type { Participant } from '../../model/scenario.js';
import type { ProbeRecord } from '../../model/trial.js';
import { ComingAndGoing, type DueParticipant, type FleetClock } from '../coming-and-going.js';
import type { Fleet, JoinOptions, StartFleet } from '../fleet.js';
import { ToldJoins } from '../told-joins.js';
import type { ChooseNative } from './crowd-fleet.js';
import { readOneHost, recordsOfBoth } from './one-host.js';

/** The same of participants who come and go: fleets of both kinds on one host, each of which plays its own when they are due. */
export function comingCrowds(
  startBrowsers: StartFleet,
  startNative: StartFleet,
  choose: ChooseNative,
  clock: FleetClock,
): StartFleet {
  return (options, listener) =>
    new ComingCrowd(
      startBrowsers(options, listener),
      startNative(options, listener),
      (participants) => choose(participants, options.sentinelSeed ?? 0),
      clock,
    );
}

/** When a party is whole, and when it leaves, is known here alone: its members may be of both kinds. */
class ComingCrowd implements Fleet {
  private readonly crowd: ComingAndGoing;
  private readonly told = new ToldJoins();
  private participants: readonly Participant[] = [];
  private native: ReadonlySet<string> = new Set();

  constructor(
    private readonly browsers: Fleet,
    private readonly natives: Fleet,
    private readonly choose: (participants: readonly Participant[]) => ReadonlySet<string>,
    clock: FleetClock,
  ) {
    this.crowd = new ComingAndGoing(clock, {
      join: (due) => this.hear(due),
      hangUp: (probes, outMs) => this.hangUp(probes, outMs),
    });
  }

  async standBy(participants: readonly Participant[], options: JoinOptions): Promise<void> {
    this.participants = participants;
    this.native = this.choose(participants);
    const parts = this.partsOf(participants);
    const standing = parts.map(({ fleet, members }) => fleet.standBy?.(members, this.ofPart(options)));
    try {
      await Promise.all(standing);
    } catch (error) {
      // Without the one kind the other need not go on; what it still says about that is no other error.
      await this.close();
      await Promise.allSettled(standing);
      throw error;
    }
  }

  async join(participants: readonly Participant[], options: JoinOptions): Promise<void> {
    const parts = this.partsOf(participants);
    const joins = parts.map(({ fleet, members }) => fleet.join(members, this.ofPart(options)));
    await Promise.all([this.crowd.join(participants, options), ...joins]);
  }

  hosts(): readonly ProbeHost[] {
    return this.browsers.hosts();
  }

  records(): readonly ProbeRecord[] {
    return recordsOfBoth(this.participants, [this.browsers, this.natives]);
  }

  readHosts(): Promise<readonly ProbeHostReading[]> {
    return readOneHost(this.browsers, this.natives);
  }

  async hangUp(probes: readonly string[], outMs: number): Promise<void> {
    const [native, others] = [true, false].map((is) => probes.filter((id) => this.native.has(id) === is));
    await Promise.all([this.natives.hangUp?.(native ?? [], outMs), this.browsers.hangUp?.(others ?? [], outMs)]);
  }

  async leave(): Promise<void> {
    await this.crowd.leave();
    await Promise.all([this.browsers.leave(), this.natives.leave()]);
  }

  async close(): Promise<void> {
    await Promise.all([this.browsers.close(), this.natives.close()]);
    this.told.noMore();
    await this.crowd.close();
  }

  private partsOf(participants: readonly Participant[]) {
    return [
      { fleet: this.browsers, members: participants.filter(({ id }) => !this.native.has(id)) },
      { fleet: this.natives, members: participants.filter(({ id }) => this.native.has(id)) },
    ].filter(({ members }) => members.length > 0);
  }

  /** A part begins its own when they are due, and is told who leaves. */
  private ofPart({ arriving, begins: _, ...options }: JoinOptions): JoinOptions {
    if (!arriving) throw new LoadlineError('E_INTERNAL', 'These participants come by arrivals alone.', {});
    const { stayMs: _stayMs, lost: _lost, ...coming } = arriving;
    return {
      ...options,
      arriving: {
        ...coming,
        end: async () => undefined,
        onJoin: (join) => this.told.came(join),
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
