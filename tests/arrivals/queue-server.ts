import { LoadlineError } from '../../model/errors.js';
import type { Session } from '../../model/scenario.js';
import type { NegotiationRequest } from '../../model/signalling.js';
import type { MediaServer, ServerSession } from '../../server-setup/media-server.js';
import type { Clock } from '../../trial/parts.js';

export interface QueueOptions {
  /** How long the next offer takes when its turn has come, milliseconds. */
  readonly serviceMs: () => number;
  /** Offers that are worked on at a time. */
  readonly servers?: number;
  /** No work begins in the first `lastsMs` of each `everyMs`. */
  readonly pause?: { readonly everyMs: number; readonly lastsMs: number };
  /** Offers that find so many waiting are refused; absent: all wait. */
  readonly refusesBeyond?: number;
}

/** When an offer that has come at a time is answered, by queueing alone: who comes first is served first. */
export class Queue {
  private readonly freeAtMs: number[];
  private readonly answersMs: number[] = [];

  constructor(private readonly options: QueueOptions) {
    this.freeAtMs = Array.from({ length: options.servers ?? 1 }, () => 0);
  }

  /** Undefined when it is refused. */
  answerAtMs(nowMs: number): number | undefined {
    const { refusesBeyond = Number.POSITIVE_INFINITY, serviceMs } = this.options;
    const waiting = this.answersMs.filter((atMs) => atMs > nowMs).length;
    if (waiting >= refusesBeyond) return undefined;
    const first = this.freeAtMs.indexOf(Math.min(...this.freeAtMs));
    const beginMs = this.afterPause(Math.max(nowMs, this.freeAtMs[first] ?? 0));
    const answerMs = beginMs + serviceMs();
    this.freeAtMs[first] = answerMs;
    if (refusesBeyond < Number.POSITIVE_INFINITY) this.answersMs.push(answerMs);
    return answerMs;
  }

  private afterPause(atMs: number): number {
    const { pause } = this.options;
    if (!pause) return atMs;
    const into = atMs % pause.everyMs;
    return into < pause.lastsMs ? atMs - into + pause.lastsMs : atMs;
  }
}

/** A media server whose offers wait in a queue, on the rest of another one; what it did is kept for comparing. */
export function queueing(server: MediaServer, clock: Clock, options: QueueOptions) {
  let queue = new Queue(options);
  const waits = new Map<string, { readonly cameMs: number; readonly answeredMs: number }>();
  const open = new Set<string>();
  const opened: string[] = [];
  const openSession = async ({ id }: Session): Promise<ServerSession> => {
    open.add(id);
    opened.push(id);
    return {
      join: async ({ participant, signal }: NegotiationRequest) => {
        const cameMs = clock.nowMs();
        const answeredMs = queue.answerAtMs(cameMs);
        if (answeredMs === undefined) throw new LoadlineError('E_SERVER_REFUSED', 'The queue is full.', {});
        waits.set(participant.id, { cameMs, answeredMs });
        await clock.sleep(answeredMs - cameMs, signal);
        return { answer: 'v=0', addCandidate: async () => undefined };
      },
      close: async () => void open.delete(id),
    };
  };
  const queued: MediaServer = {
    start: (signal) => server.start(signal),
    // What waited is gone with the trial that brought it.
    reset: (signal) => {
      queue = new Queue(options);
      return server.reset(signal);
    },
    stop: () => server.stop(),
    onEvent: (listener) => server.onEvent(listener),
    openSession,
  };
  return { server: queued, waits, open, opened };
}
