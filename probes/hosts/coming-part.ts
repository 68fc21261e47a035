import { type Cast, membersOf } from '../../model/cast.js';
import type { ArrivedJoin } from '../../model/join.js';
import type { Participant } from '../../model/scenario.js';
import type { Arriving, ComingOptions, Fleet, JoinOptions } from '../fleet.js';
import type { HostMessage } from './host-messages.js';
import type { JoinOrder } from './wire.js';

interface ComingPartOptions {
  readonly fleet: Fleet;
  /** What the host is called in this run. */
  readonly host: string;
  readonly participants: readonly Participant[];
  readonly arriving: NonNullable<JoinOrder['arriving']>;
  readonly cast: Cast;
  readonly joining: JoinOptions;
  readonly now: () => number;
  readonly tell: (told: HostMessage) => void;
  /** Called with those who have left. */
  readonly onLeft: (probes: readonly string[]) => void;
}

/**
 * A host's part of a trial in which participants come and go. They come by its clock, and leave when the conductor says
 * so.
 */
export class ComingPart {
  private readonly stay: ReadonlySet<string>;
  private asleepMs: number[] = [];

  constructor(private readonly options: ComingPartOptions) {
    this.stay = new Set(options.arriving.stay);
  }

  async standBy(): Promise<void> {
    const { fleet, participants } = this.options;
    await fleet.standBy?.(participants, this.joinOptions({}));
  }

  /** What becomes of each is told. */
  come(dueMs: Readonly<Record<string, number>>): void {
    const { fleet, participants } = this.options;
    const due = participants.filter(({ id }) => dueMs[id] !== undefined);
    // It rejects when the trial ends, which whoever ends it knows.
    fleet.join(due, this.joinOptions(dueMs)).catch(() => undefined);
  }

  async hangUp(probes: readonly string[], outMs: number): Promise<void> {
    const { fleet, onLeft } = this.options;
    await fleet.hangUp?.(probes, outMs);
    onLeft(probes);
  }

  tellAsleep(): void {
    const ms = this.asleepMs;
    this.asleepMs = [];
    if (ms.length > 0) this.options.tell({ is: 'asleep', ms });
  }

  /** Of each player that plays some of them. */
  private atOnce(among: readonly Participant[]): number {
    const { arriving, cast } = this.options;
    return [...membersOf(cast, among).keys()].reduce((sum, player) => sum + (arriving.atOnce[player] ?? 0), 0);
  }

  private joinOptions(dueMs: Readonly<Record<string, number>>): ComingOptions {
    const { now, joining, host, tell } = this.options;
    const coming: Arriving = {
      nowMs: now,
      dueMs: ({ id }) => dueMs[id] ?? now(),
      partyOf: ({ id }) => (this.stay.has(id) ? undefined : id),
      legsOf: ({ legs }) => legs,
      end: async () => undefined,
      onJoin: (join: ArrivedJoin) => tell({ is: 'came', join: { ...join, host } }),
      atOnce: (among) => this.atOnce(among),
      onStay: () => undefined,
      onAsleep: (ms) => void this.asleepMs.push(ms),
    };
    return { ...joining, arriving: coming };
  }
}
