import type { ArrivedJoin } from '../../model/join.js';
import type { ProbeFailure } from '../../model/trial.js';
import type { HostCall, HostReply } from '../page/wire.js';

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
      leg.servedMs += nowMs - heardMs;
      if (call.call === 'begin') leg.createdMs = nowMs;
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
