import { LoadlineError } from '../../model/errors.js';
import { type Leg, type Session, sourcesOf } from '../../model/scenario.js';
import type { ServerEvent } from '../../model/server-event.js';
import type { Negotiated, NegotiationRequest, ProbeOffers } from '../../model/signalling.js';
import type { ServerSession, SessionLegRequest } from '../media-server.js';
import { onceThere } from './await-stream.js';
import type { Way } from './credentials.js';
import type { KnownDoor } from './door.js';
import { Opened } from './opened.js';

export interface SessionOptions {
  readonly session: Session;
  readonly doors: Readonly<Record<Way, KnownDoor>>;
  /** The stream of one of its participants, in the server's addresses. */
  readonly streamOf: (participant: string) => string;
  /** How long a viewer waits for a stream that is not there. */
  readonly streamWithinMs: number;
  readonly onEvent: (event: ServerEvent) => void;
  /** Everything that was opened is told of, and again when it has ended. */
  readonly onOpened: (opened: Opened) => void;
  readonly onEnded: (opened: Opened) => void;
}

/** One session on a server of WHIP and WHEP, which knows none: for each leg, what was opened for its offer. */
export class WhipSession implements ServerSession {
  readonly #options: SessionOptions;
  readonly #opened = new Map<Way, Set<Opened>>([
    ['whep', new Set()],
    ['whip', new Set()],
  ]);
  readonly #opening = new Set<Promise<unknown>>();
  #closed: Promise<void> | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  async begin({ leg, sourcesThere }: SessionLegRequest): Promise<ProbeOffers> {
    const way = wayOf(leg);
    if (way === 'whep') await sourcesThere();
    const { trickles, iceServers } = this.#options.doors[way];
    const named = iceServers.length > 0 ? { iceServers } : {};
    if (!trickles) return { by: 'probe', candidates: 'in-one-message', ...named };
    // Where none was named before the offer, the answer may name some.
    return { by: 'probe', candidates: iceServers.length > 0 ? 'trickled' : 'after-the-answer', ...named };
  }

  async join(request: NegotiationRequest): Promise<Negotiated> {
    const { leg, signal } = request;
    const way = wayOf(leg);
    const opening = this.#open(way, request);
    this.#opening.add(opening);
    const opened = await opening.finally(() => this.#opening.delete(opening));
    if (this.#closed !== undefined || signal.aborted) {
      await this.#end(way, opened);
      signal.throwIfAborted();
      throw notNow(leg);
    }
    const { answer, iceServers } = opened;
    this.#tellOfUnused(way, opened, leg);
    return {
      answer,
      ...(iceServers.length > 0 ? { iceServers } : {}),
      addCandidate: (candidate) => opened.trickle(candidate),
    };
  }

  async #open(way: Way, { leg, participant, offer, signal }: NegotiationRequest): Promise<Opened> {
    if (this.#closed !== undefined) throw notNow(leg);
    const { doors, streamOf, streamWithinMs, onOpened } = this.#options;
    const stream = streamOf(way === 'whip' ? participant.id : sourceOf(leg));
    const open = () => Opened.open(doors[way], stream, offer);
    const onWaiting = ({ message, why }: LoadlineError) => this.#tell(leg, 'waiting', `${message} ${why ?? ''}`.trim());
    const opened = await (way === 'whip' ? open() : onceThere(open, { withinMs: streamWithinMs, signal, onWaiting }));
    this.#opened.get(way)?.add(opened);
    onOpened(opened);
    return opened;
  }

  /** Candidates had been looked for before it named them. */
  #tellOfUnused(way: Way, { iceServers }: Opened, leg: Leg): void {
    const { trickles, iceServers: before } = this.#options.doors[way];
    if (iceServers.length === 0 || before.length > 0 || trickles) return;
    const urls = iceServers.flatMap((server) => server.urls).join(', ');
    this.#tell(leg, 'ice-servers-unused', `named with the answer, after the candidates had gone: ${urls}`);
  }

  #tell({ id }: Leg, name: string, detail: string): void {
    this.#options.onEvent({ kind: 'other', atMs: Date.now(), name, detail, leg: id });
  }

  /** Ends everything, viewers first: what a server ends by itself when a stream ends is then not there to be missed. Idempotent. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#opening);
    const failures: unknown[] = [];
    for (const [way, opened] of this.#opened) {
      const ended = await Promise.allSettled([...opened].map((one) => this.#end(way, one)));
      failures.push(...ended.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])));
    }
    if (failures.length > 0) throw failures[0];
  }

  async #end(way: Way, opened: Opened): Promise<void> {
    await opened.end();
    this.#opened.get(way)?.delete(opened);
    this.#options.onEnded(opened);
  }
}

function wayOf(leg: Leg): Way {
  if (leg.sends.length > 0 && leg.receives.length > 0) {
    throw new LoadlineError('E_SERVER_REFUSED', `Leg ${leg.id} sends and receives on one connection.`, {
      where: leg.id,
      why: 'a connection of WHIP sends, and one of WHEP receives',
    });
  }
  return leg.sends.length > 0 ? 'whip' : 'whep';
}

/** A connection of WHEP gives one stream. */
function sourceOf(leg: Leg): string {
  const [source, ...others] = sourcesOf(leg);
  if (source !== undefined && 'participant' in source && others.length === 0) return source.participant;
  throw new LoadlineError('E_SERVER_REFUSED', `Leg ${leg.id} does not receive from one participant.`, {
    where: leg.id,
    why: 'a connection of WHEP gives one stream',
  });
}

function notNow({ id }: Leg): LoadlineError {
  return new LoadlineError('E_SERVER_REFUSED', `Leg ${id} cannot join: its session is closed.`, { where: id });
}
