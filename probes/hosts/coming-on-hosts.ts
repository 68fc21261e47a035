import { atMost, unlessAborted } from '../../host/bounded-wait.js';
import type { ArrivedJoin } from '../../model/join.js';
import type { Participant } from '../../model/scenario.js';
import { ComingAndGoing, type DueParticipant } from '../coming-and-going.js';
import type { ComingOptions } from '../fleet.js';
import { monotonicClock } from '../monotonic-clock.js';
import type { DealtTrial } from './dealt-trial.js';
import type { TrialOnHost } from './trial-on-host.js';

/** So much later than it must have joined or failed, its host may say so. */
const toldSlackMs = 15_000;

/**
 * Participants who come and go on many hosts. Each host is told when its own are due, by its own clock, and begins them
 * by itself; when a party is whole and when it leaves is known here alone, for its members may be on different hosts.
 */
export class ComingOnHosts {
  private readonly coming: ComingAndGoing;

  constructor(
    private readonly dealt: DealtTrial,
    private readonly trial: string,
  ) {
    this.coming = new ComingAndGoing(monotonicClock, {
      join: (due) => this.hear(due),
      // The way over the bus makes no stay longer.
      joinedMs: ({ participant, host, endedMs }) =>
        host === undefined ? undefined : dealt.partOf(participant)?.host.ourTime(endedMs),
      hangUp: (probes, outMs) => this.hangUp(probes, outMs),
    });
  }

  async join(participants: readonly Participant[], options: ComingOptions): Promise<void> {
    const { arriving, signal } = options;
    const { dealt, trial } = this;
    const coming = new Set(participants.map(({ id }) => id));
    for (const part of dealt.parts) {
      const own = part.participants.filter(({ id }) => coming.has(id));
      if (own.length === 0) continue;
      part.joins.onAsleep = (ms) => arriving.onAsleep(ms, part.host.id);
      const dueMs = Object.fromEntries(own.map((one) => [one.id, part.host.itsTime(arriving.dueMs(one))]));
      void part.order({ do: 'come', trial, dueMs });
    }
    try {
      await this.coming.join(participants, options);
    } finally {
      if (signal.aborted) void dealt.each((part) => part.order({ do: 'stop', trial }));
    }
  }

  leave(): Promise<void> {
    return this.coming.leave();
  }

  close(): Promise<void> {
    return this.coming.close();
  }

  /** What its host tells of the join of one who is due now. */
  private async hear({ participant, dueMs, options, nowMs, signal }: DueParticipant): Promise<ArrivedJoin> {
    const { id, session } = participant;
    const part = this.dealt.partOf(id);
    const told = await this.toldOf(id, part, options.deadlineMs, signal).catch(() => undefined);
    if (part && told) {
      const servedMs = told.servedMs === undefined ? undefined : part.signalling.servedMs(id);
      return { ...told, session, dueMs, ...(servedMs === undefined ? {} : { servedMs }) };
    }
    const lost = part?.host.lost;
    const failure =
      lost === undefined
        ? ({ code: 'aborted', detail: 'the trial ended' } as const)
        : ({ code: 'host-lost', detail: lost } as const);
    return { participant: id, session, dueMs, endedMs: nowMs(), failure };
  }

  /** Rejects when the signal aborts: who is not waited for any more blames no host. */
  private async toldOf(
    id: string,
    part: TrialOnHost | undefined,
    deadlineMs: number,
    signal: AbortSignal,
  ): Promise<ArrivedJoin | undefined> {
    if (!part) return undefined;
    const told = await atMost(deadlineMs + toldSlackMs, unlessAborted(signal, part.joins.of(id)));
    if (told.inTime) return told.value;
    part.host.lose(`it did not say in time what became of ${id}`);
    return undefined;
  }

  private async hangUp(probes: readonly string[], outMs: number): Promise<void> {
    await Promise.all([...this.dealt.shares(probes)].map(([part, own]) => part.hangUp(own, outMs)));
  }
}
