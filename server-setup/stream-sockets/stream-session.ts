import { LoadlineError, withWhy } from '../../model/errors.js';
import type { Leg, Session } from '../../model/scenario.js';
import type { Negotiated, NegotiationRequest, ProbeOffers, ServerOffers } from '../../model/signalling.js';
import { againAfterMs, onceThere } from '../await-stream.js';
import type { ServerSession, SessionLegRequest } from '../media-server.js';
import { notNow } from '../session-owner.js';
import { streamOwner } from '../stream-of-leg.js';
import { type Doorway, type OpenStream, openStream } from './open-stream.js';
import { isNotThere, type TalkOrder } from './stream-door.js';

interface SessionOptions extends Doorway {
  readonly session: Session;
  /** The stream of one of its participants. */
  readonly streamOf: (participant: string) => string;
  /** How long a viewer waits for a stream that is not there. */
  readonly streamWithinMs: number;
  /** Everything that was opened is told of, and ended by this. */
  readonly onOpened: (opened: OpenStream) => void;
  readonly end: (opened: OpenStream) => Promise<void>;
  /** The signalling connection of a leg has ended by itself. */
  readonly onLost: (leg: string, how: string) => void;
}

interface Begun {
  readonly opened: OpenStream;
  readonly first: ProbeOffers | ServerOffers;
}

/** One session on a server that knows none: for each leg, a stream that is published or viewed. */
export class StreamSession implements ServerSession {
  readonly #opened = new Map<string, OpenStream>();
  readonly #opening = new Set<Promise<unknown>>();
  #closed: Promise<void> | undefined;

  constructor(private readonly options: SessionOptions) {}

  async begin(request: SessionLegRequest): Promise<ProbeOffers | ServerOffers> {
    const { leg, signal, sourcesThere } = request;
    if (leg.sends.length > 0 && leg.receives.length > 0) throw notBothWays(leg);
    if (leg.sends.length === 0) await sourcesThere();
    if (this.#closed !== undefined || this.#opened.has(leg.id)) throw notNow(leg);
    const opening = this.#open(request);
    this.#opening.add(opening);
    const { opened, first } = await opening.finally(() => this.#opening.delete(opening));
    if (this.#closed !== undefined || signal.aborted) {
      await this.options.end(opened);
      signal.throwIfAborted();
      throw notNow(leg);
    }
    this.#opened.set(leg.id, opened);
    return first;
  }

  #open({ leg, participant, onCandidate, signal }: SessionLegRequest): Promise<Begun> {
    const { streamOf, streamWithinMs, onEvent } = this.options;
    const tell = (name: string, detail: string) =>
      onEvent({ kind: 'other', atMs: Date.now(), name, detail, leg: leg.id });
    const order: TalkOrder = {
      way: leg.sends.length > 0 ? 'publish' : 'view',
      stream: streamOf(streamOwner(leg, participant)),
      kinds: leg.sends.length > 0 ? leg.sends : leg.receives,
      onCandidate,
      onComplaint: (detail) => onEvent({ kind: 'failed', of: 'leg', leg: leg.id, atMs: Date.now(), detail }),
      signal,
    };
    const open = () => this.#begun(order, leg);
    if (order.way === 'publish') return open();
    return onceThere(open, {
      withinMs: streamWithinMs,
      signal,
      waitMsOf: (error) => (isNotThere(error) ? againAfterMs : undefined),
      onWaiting: (refusal) => tell('waiting', withWhy(refusal)),
    });
  }

  /** What was opened for nothing is ended. */
  async #begun(order: TalkOrder, leg: Leg): Promise<Begun> {
    const { onOpened, end, onLost } = this.options;
    const opened = await openStream(this.options, order, (how) => {
      if (this.#opened.has(leg.id)) onLost(leg.id, how);
    });
    onOpened(opened);
    try {
      return { opened, first: await opened.talk.begin() };
    } catch (error) {
      await end(opened);
      throw error;
    }
  }

  async join({ leg, offer, signal }: NegotiationRequest): Promise<Negotiated> {
    signal.throwIfAborted();
    const talk = this.#opened.get(leg.id)?.talk;
    if (talk?.take === undefined || this.#closed !== undefined) throw notNow(leg);
    return talk.take(offer);
  }

  /** Ends everything, viewers first, since a server may end viewers by itself with a stream. Idempotent. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#opening);
    const all = [...this.#opened.values()];
    for (const now of ['view', 'publish'] as const) {
      await Promise.all(all.filter(({ way }) => way === now).map(this.options.end));
    }
  }
}

function notBothWays({ id }: Leg): LoadlineError {
  return new LoadlineError('E_SERVER_REFUSED', `Leg ${id} sends and receives on one connection.`, {
    where: id,
    why: 'a connection publishes one stream or gives one, never both',
  });
}
