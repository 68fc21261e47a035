import type { ArrivedJoin } from '../../model/join.js';
import type { ProbeHostId } from '../../model/probe-host.js';
import type { FleetEvent } from '../../model/trial.js';
import type { DueParticipant } from '../coming-and-going.js';
import type { HostCall, ProbeOrder } from '../page/wire.js';
import type { ProbePlace } from './place.js';
import type { ProbeLedger } from './probe-ledger.js';
import { answerBoundMs } from './start-at-pace.js';
import { WatchedJoin } from './watched-join.js';

/** Who plays one that is due. */
interface PlayedThere {
  readonly ledger: ProbeLedger;
  readonly host: ProbeHostId;
  readonly place: ProbePlace;
  readonly start: (order: ProbeOrder) => void;
  /** Of one that is neither up nor has failed 3 s after its deadline. */
  readonly giveUp: (probe: string) => void;
}

/** Of one that was due, and could not be begun. */
export function neverCame(
  { participant: { id, session }, dueMs, nowMs }: DueParticipant,
  { code, detail }: NonNullable<ArrivedJoin['failure']>,
): ArrivedJoin {
  return { participant: id, session, dueMs, endedMs: nowMs(), failure: { code, detail } };
}

/** Joins of arriving participants, each watched until it is up or has failed. */
export class WatchedJoins {
  private readonly joins = new Map<string, WatchedJoin>();

  hear(call: HostCall): ReturnType<WatchedJoin['hear']> {
    const join = 'probe' in call ? this.joins.get(call.probe) : undefined;
    return join?.hear(call) ?? (() => undefined);
  }

  /** What the ledger tells of one that settles. `stays`: it stays to the end, so that no stay of it begins. */
  settle(event: FleetEvent, ledger: ProbeLedger | undefined, stays: (probe: string) => boolean): void {
    if (event.type === 'probe-up') {
      if (!stays(event.probe)) ledger?.stays(event.probe, event.atMs);
      this.joins.get(event.probe)?.up();
    } else if (event.type === 'probe-failed') this.joins.get(event.failure.probe)?.failed(event.failure);
  }

  /** Never rejects. */
  async play(due: DueParticipant, { ledger, host, place, start, giveUp }: PlayedThere): Promise<ArrivedJoin> {
    const { participant, legs, dueMs, options, nowMs, signal } = due;
    const { id, session } = participant;
    ledger.placed(id, { host, ...place });
    const join = new WatchedJoin(legs.length, nowMs);
    this.joins.set(id, join);
    const lateMs = Math.max(0, nowMs() - dueMs);
    const deadlineMs = Math.max(1, options.deadlineMs - lateMs);
    const late = (): void => {
      if (!ledger.isSettled(id)) giveUp(id);
    };
    const timer = setTimeout(late, deadlineMs + answerBoundMs);
    const onAbort = () => join.failed({ code: 'aborted', detail: 'the trial ended' });
    signal.addEventListener('abort', onAbort, { once: true });
    ledger.begun(id, lateMs);
    start({ participant: { ...participant, legs }, deadlineMs });
    const failure = await join.settled;
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    this.joins.delete(id);
    return {
      participant: id,
      session,
      dueMs,
      ...join.times(),
      endedMs: nowMs(),
      ...(failure ? { failure } : {}),
    };
  }
}
