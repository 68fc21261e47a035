import { setMaxListeners } from 'node:events';
import { LoadlineError } from '../../model/errors.js';
import type { ProbeHostReading } from '../../model/evidence.js';
import { type ProbeHost, theOneHost } from '../../model/probe-host.js';
import type { Participant } from '../../model/scenario.js';
import type { ProbeRecord } from '../../model/trial.js';
import type { Arriving, Fleet, JoinOptions, StartFleet } from '../fleet.js';
import { type FleetClock, joinAlone } from './join-alone.js';

/** A timer this long is set again and again: how late it wakes is how late an answer may have been read. */
const asleepEveryMs = 20;

/**
 * Participants that speak the server's signalling and send no media: they are due, offer, are answered, stay, and leave. All of them are this
 * process, so that a core plays thousands. None of them is ever up, for nothing connects: they are told as joins, and not as probes.
 */
export function signallingFleets(clock: FleetClock, readHost: () => Promise<ProbeHostReading | undefined>): StartFleet {
  return () => new SignallingFleet(clock, readHost);
}

class SignallingFleet implements Fleet {
  private readonly leaving = new AbortController();
  private readonly stays = new Set<Promise<void>>();
  private watching: Promise<void> | undefined;

  constructor(
    private readonly clock: FleetClock,
    private readonly readHost: () => Promise<ProbeHostReading | undefined>,
  ) {
    setMaxListeners(0, this.leaving.signal);
  }

  async join(participants: readonly Participant[], options: JoinOptions): Promise<void> {
    const { arriving } = options;
    if (!arriving) throw new LoadlineError('E_INTERNAL', 'Participants without media come by arrivals alone.', {});
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
        joinAlone(asked).then((join) => {
          arriving.onJoin(join);
          parties(participant, join.failure === undefined);
        }),
      );
    }
    await Promise.all(joins);
  }

  /** Told of each participant's end; a party that has been heard of as a whole stays for its time, and leaves. */
  private partiesOf(participants: readonly Participant[], arriving: Arriving, nowMs: () => number) {
    const open = new Map<string, { missing: number; isWhole: boolean }>();
    for (const participant of participants) {
      const party = arriving.partyOf(participant);
      if (party !== undefined) open.set(party, { missing: (open.get(party)?.missing ?? 0) + 1, isWhole: true });
    }
    return (participant: Participant, joined: boolean) => {
      const party = arriving.partyOf(participant);
      const one = party === undefined ? undefined : open.get(party);
      if (party === undefined || !one) return;
      one.missing -= 1;
      one.isWhole &&= joined;
      if (one.missing > 0) return;
      open.delete(party);
      const stay: Promise<void> = this.stay(party, one.isWhole, arriving, nowMs).finally(() => this.stays.delete(stay));
      this.stays.add(stay);
    };
  }

  private async stay(party: string, isWhole: boolean, arriving: Arriving, nowMs: () => number): Promise<void> {
    const inMs = nowMs();
    // Told to leave while it sleeps, it leaves. Who comes after all have lost their connections has lost none.
    const { lost } = arriving;
    const over = lost && !lost.aborted ? AbortSignal.any([lost, this.leaving.signal]) : this.leaving.signal;
    if (isWhole) await this.clock.sleep(arriving.stayMs(party), over).catch(() => undefined);
    const outMs = nowMs();
    const failure = await arriving.end(party).then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    arriving.onStay({
      party,
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

  hosts(): readonly ProbeHost[] {
    return [{ id: theOneHost, besideConductor: true }];
  }

  /** None is a probe. */
  records(): readonly ProbeRecord[] {
    return [];
  }

  async readHosts(): Promise<readonly ProbeHostReading[]> {
    const reading = await this.readHost();
    return reading ? [reading] : [];
  }

  async leave(): Promise<void> {
    this.leaving.abort();
    while (this.stays.size > 0) await Promise.all(this.stays);
  }

  async close(): Promise<void> {
    await this.leave();
    await this.watching;
  }
}
