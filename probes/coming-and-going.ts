import { setMaxListeners } from 'node:events';
import type { ArrivedJoin } from '../model/join.js';
import type { Leg, Participant } from '../model/scenario.js';
import type { Arriving, ComingOptions, JoinOptions } from './fleet.js';

export interface FleetClock {
  nowMs(): number;
  /** Rejects when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Who is due now. */
export interface DueParticipant {
  readonly participant: Participant;
  readonly legs: readonly Leg[];
  readonly dueMs: number;
  readonly options: JoinOptions;
  readonly clock: FleetClock;
  /** By the conductor's clock. */
  readonly nowMs: () => number;
  readonly signal: AbortSignal;
}

export function areComing(options: JoinOptions): options is ComingOptions {
  return options.arriving !== undefined;
}

/** Who plays them. */
interface Player {
  /** Never rejects: what went wrong is in what it tells. */
  join(due: DueParticipant): Promise<ArrivedJoin>;
  /** When that one had joined, by the conductor's clock; absent: just when it is told. */
  joinedMs?(join: ArrivedJoin): number | undefined;
  /** They leave now, before the server is told. Never rejects; absent: they only signal. */
  hangUp?(probes: readonly string[], outMs: number): Promise<void>;
}

/** A timer this long is set again and again: how late it wakes is how late an answer may have been read. */
const asleepEveryMs = 20;

interface OpenParty {
  missing: number;
  isWhole: boolean;
  /** When the last of them had joined or failed. */
  inMs: number;
  readonly members: string[];
}

type Staying = Arriving & Required<Pick<Arriving, 'stayMs'>>;

/** Participants who are due, join, stay and leave: an open model, in which the due begin whatever became of others. */
export class ComingAndGoing {
  private readonly leaving = new AbortController();
  private readonly stays = new Set<Promise<void>>();
  private watching: Promise<void> | undefined;

  constructor(
    private readonly clock: FleetClock,
    private readonly player: Player,
  ) {
    setMaxListeners(0, this.leaving.signal);
  }

  async join(participants: readonly Participant[], options: ComingOptions): Promise<void> {
    const { arriving } = options;
    const signal = AbortSignal.any([options.signal, this.leaving.signal]);
    setMaxListeners(0, signal);
    await options.begins?.();
    // Told by the conductor's clock, and measured by one that is finer and that nobody sets.
    const shiftMs = arriving.nowMs() - this.clock.nowMs();
    const nowMs = () => this.clock.nowMs() + shiftMs;
    this.watching ??= this.watchOwnSleep(arriving);
    const due = participants
      .map((participant) => ({ participant, dueMs: arriving.dueMs(participant) }))
      .sort((a, b) => a.dueMs - b.dueMs);
    const parties = this.partiesOf(participants, arriving, nowMs);
    const joins: Promise<void>[] = [];
    for (const { participant, dueMs } of due) {
      const waitMs = dueMs - nowMs();
      if (waitMs > 0) await this.clock.sleep(waitMs, signal);
      signal.throwIfAborted();
      const legs = arriving.legsOf(participant);
      const asked = { participant, legs, dueMs, options, clock: this.clock, nowMs, signal };
      joins.push(
        this.player.join(asked).then((join) => {
          arriving.onJoin(join);
          parties(participant, join.failure === undefined, this.player.joinedMs?.(join) ?? nowMs());
        }),
      );
    }
    await Promise.all(joins);
  }

  /** Told of each participant's end; a party that has been heard of as a whole stays for its time, and leaves. */
  private partiesOf(participants: readonly Participant[], arriving: Arriving, nowMs: () => number) {
    const { stayMs } = arriving;
    if (!stayMs) return () => undefined;
    const open = new Map<string, OpenParty>();
    for (const participant of participants) {
      const id = arriving.partyOf(participant);
      if (id === undefined) continue;
      const party = open.get(id) ?? { missing: 0, isWhole: true, inMs: 0, members: [] };
      party.missing += 1;
      party.members.push(participant.id);
      open.set(id, party);
    }
    return (participant: Participant, joined: boolean, atMs: number) => {
      const id = arriving.partyOf(participant);
      const party = id === undefined ? undefined : open.get(id);
      if (id === undefined || !party) return;
      party.missing -= 1;
      party.isWhole &&= joined;
      party.inMs = Math.max(party.inMs, atMs);
      if (party.missing > 0) return;
      open.delete(id);
      const stay: Promise<void> = this.stay(id, party, { ...arriving, stayMs }, nowMs).finally(() =>
        this.stays.delete(stay),
      );
      this.stays.add(stay);
    };
  }

  private async stay(id: string, { isWhole, members, inMs }: OpenParty, arriving: Staying, nowMs: () => number) {
    // Told to leave while it sleeps, it leaves. Who comes after all have lost their connections has lost none.
    const { lost } = arriving;
    const over = lost && !lost.aborted ? AbortSignal.any([lost, this.leaving.signal]) : this.leaving.signal;
    const leftMs = inMs + arriving.stayMs(id) - nowMs();
    if (isWhole && leftMs > 0) await this.clock.sleep(leftMs, over).catch(() => undefined);
    const outMs = nowMs();
    await this.player.hangUp?.(members, outMs);
    const failure = await arriving.end(id).then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    arriving.onStay({
      party: id,
      ...(isWhole ? { inMs } : {}),
      outMs,
      endedMs: nowMs(),
      ...(failure === undefined ? {} : { failure }),
    });
  }

  private async watchOwnSleep({ onAsleep }: Arriving): Promise<void> {
    const { signal } = this.leaving;
    while (!signal.aborted) {
      const wakesAtMs = this.clock.nowMs() + asleepEveryMs;
      await this.clock.sleep(asleepEveryMs, signal).catch(() => undefined);
      if (!signal.aborted) onAsleep(Math.max(0, this.clock.nowMs() - wakesAtMs));
    }
  }

  /** Until all who are there have left. */
  async leave(): Promise<void> {
    this.leaving.abort();
    while (this.stays.size > 0) await Promise.all(this.stays);
  }

  async close(): Promise<void> {
    await this.leave();
    await this.watching;
  }
}
