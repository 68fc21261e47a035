import { type LoadlineError, withWhy } from '../model/errors.js';
import type { Leg } from '../model/scenario.js';
import type { ServerEvent } from '../model/server-event.js';
import type { NegotiationRequest } from '../model/signalling.js';
import { onceThere } from './await-stream.js';
import type { Ending } from './ended-streams.js';
import { notNow } from './session-owner.js';

/** One stream that is published or viewed. */
export interface OpenedStream {
  readonly stream: string;
  readonly way: string;
  /** Rejects where the server could end it and does not. */
  readonly end: () => Promise<Ending>;
}

export interface StreamsSessionOptions<Opened> {
  /** The stream of one of its participants. */
  readonly streamOf: (participant: string) => string;
  /** How long a viewer waits for a stream that is not there. */
  readonly streamWithinMs: number;
  readonly onEvent: (event: ServerEvent) => void;
  /** Everything that was opened is told of, and ended by `end`. */
  readonly onOpened: (opened: Opened) => void;
  readonly end: (opened: Opened) => Promise<void>;
}

/** One session on a server that knows none: for each leg, a stream that is published or viewed. */
export abstract class StreamsSession<Options extends StreamsSessionOptions<Opened>, Opened extends OpenedStream> {
  protected readonly byLeg = new Map<string, Opened>();
  readonly #opening = new Set<Promise<unknown>>();
  #closed: Promise<void> | undefined;
  /** Viewers first, since a server may end viewers by itself with a stream. */
  protected abstract readonly waysInOrder: readonly Opened['way'][];

  constructor(protected readonly options: Options) {}

  protected get isClosed(): boolean {
    return this.#closed !== undefined;
  }

  /** What is opened for nothing is ended. A viewer whose stream is not there yet comes again. */
  protected async opened<Own extends Opened>(
    { leg, signal }: Pick<NegotiationRequest, 'leg' | 'signal'>,
    open: () => Promise<Own>,
    waitMsOf: (refusal: LoadlineError) => number | undefined,
  ): Promise<Own> {
    if (this.isClosed || this.byLeg.has(leg.id)) throw notNow(leg);
    const onWaiting = (refusal: LoadlineError) => this.tell(leg, 'waiting', withWhy(refusal));
    const waiting = { withinMs: this.options.streamWithinMs, signal, waitMsOf, onWaiting };
    const opening = leg.sends.length > 0 ? open() : onceThere(open, waiting);
    this.#opening.add(opening);
    const opened = await opening.finally(() => this.#opening.delete(opening));
    if (this.isClosed || signal.aborted) {
      await this.options.end(opened);
      signal.throwIfAborted();
      throw notNow(leg);
    }
    this.byLeg.set(leg.id, opened);
    return opened;
  }

  protected tell({ id }: Leg, name: string, detail: string): void {
    this.options.onEvent({ kind: 'other', atMs: Date.now(), name, detail, leg: id });
  }

  /** Rejects, once all have been tried, as the first that could not be ended. */
  protected async end(legs: readonly string[]): Promise<void> {
    const failures: unknown[] = [];
    const known = legs.flatMap((leg) => this.byLeg.get(leg) ?? []);
    for (const leg of legs) this.byLeg.delete(leg);
    for (const now of this.waysInOrder) {
      const ended = await Promise.allSettled(known.filter(({ way }) => way === now).map(this.options.end));
      failures.push(...ended.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])));
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Ends everything. Idempotent. */
  close(): Promise<void> {
    this.#closed ??= Promise.allSettled(this.#opening).then(() => this.end([...this.byLeg.keys()]));
    return this.#closed;
  }
}
