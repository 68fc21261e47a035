import type { ArrivedJoin } from '../../model/join.js';
import type { ProbeHostId } from '../../model/probe-host.js';
import type { FleetEvent, ProbeFailure } from '../../model/trial.js';
import type { DueParticipant } from '../coming-and-going.js';
import type { HostCall, HostReply, ProbeOrder } from '../page/wire.js';
import type { ProbePlace } from './place.js';
import type { ProbeLedger } from './probe-ledger.js';
import { answerBoundMs } from './start-at-pace.js';

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

interface WatchedLeg {
  createdMs?: number;
  describedMs?: number;
  answeredMs?: number;
  /** What the server took of it. */
  servedMs: number;
}

type Milestones = Pick<ArrivedJoin, 'iceMs' | 'connectedMs' | 'firstFrameMs'>;

const milestones = [
  ['iceConnectedMs', 'iceMs'],
  ['dtlsConnectedMs', 'connectedMs'],
  ['firstFrameMs', 'firstFrameMs'],
] as const;

/**
 * Progress of one browser participant's join, by the calls of its page and their answers. All times are of this
 * process's clock, so that the page's own delay counts to its own steps and never to the server's.
 */
export class WatchedJoin {
  private readonly legs = new Map<string, WatchedLeg>();
  private begunMs: number | undefined;
  private reached: Milestones = {};
  private end: (failure: ArrivedJoin['failure']) => void = () => undefined;
  /** With what ended it; undefined: it came up. */
  readonly settled = new Promise<ArrivedJoin['failure']>((resolve) => {
    this.end = resolve;
  });

  constructor(
    private readonly legCount: number,
    private readonly nowMs: () => number,
  ) {}

  /** Before it is answered; what it returns hears the answer. */
  hear(call: HostCall): (reply: HostReply | null) => void {
    const heardMs = this.nowMs();
    if (call.call === 'reached' || call.call === 'up') this.reach(call.join, heardMs);
    if (call.call !== 'begin' && call.call !== 'negotiate' && call.call !== 'answered') return () => undefined;
    this.begunMs ??= heardMs;
    const leg = this.legOf(call.leg);
    if (call.call !== 'begin') leg.describedMs = heardMs;
    return (reply) => {
      if (!reply?.ok) return;
      const nowMs = this.nowMs();
      // What others' pages had yet to say is theirs, as is what the own page has to.
      const ofOthersMs = ('first' in reply && reply.first.waitedMs) || 0;
      leg.servedMs += nowMs - heardMs - ofOthersMs;
      if (call.call === 'begin') leg.createdMs = nowMs - ofOthersMs;
      else leg.answeredMs = nowMs;
    };
  }

  up(): void {
    this.end(undefined);
  }

  failed({ code, detail }: Pick<ProbeFailure, 'code' | 'detail'>): void {
    this.end({ code, detail });
  }

  /** Times of the slowest leg. */
  times(): Partial<ArrivedJoin> {
    const legs = [...this.legs.values()];
    const last = (step: 'createdMs' | 'describedMs' | 'answeredMs') => {
      const times = legs.flatMap((leg) => leg[step] ?? []);
      return times.length < this.legCount ? {} : { [step]: Math.max(...times) };
    };
    const answered = last('answeredMs');
    return {
      ...(this.begunMs === undefined ? {} : { begunMs: this.begunMs }),
      ...last('createdMs'),
      ...last('describedMs'),
      ...answered,
      ...('answeredMs' in answered ? { servedMs: Math.max(...legs.map(({ servedMs }) => servedMs)) } : {}),
      ...this.reached,
    };
  }

  private reach(join: Extract<HostCall, { readonly call: 'reached' }>['join'], heardMs: number): void {
    for (const [told, kept] of milestones) {
      if (join[told] !== undefined && this.reached[kept] === undefined) {
        this.reached = { ...this.reached, [kept]: heardMs };
      }
    }
  }

  private legOf(id: string): WatchedLeg {
    const leg = this.legs.get(id) ?? { servedMs: 0 };
    this.legs.set(id, leg);
    return leg;
  }
}
