import { setMaxListeners } from 'node:events';
import { ClientInfo, ConnectionSettings, JoinRequest, WrappedJoinRequest } from '@livekit/protocol';
import { LoadlineError } from '../../model/errors.js';
import { type Leg, type Participant, receivedStreams, type Session, senderOfSource } from '../../model/scenario.js';
import type { ServerEvent } from '../../model/server-event.js';
import type { Negotiated, NegotiationRequest, ProbeOffers, ServerOffers } from '../../model/signalling.js';
import type { LayerRequest, ServerSession, SessionLegRequest } from '../media-server.js';
import { notNow } from '../session-owner.js';
import type { Tokens } from './access-token.js';
import { BothWays } from './both-ways.js';
import type { Connections } from './livekit-flags.js';
import type { Picture } from './livekit-options.js';
import { Member, type MemberOptions } from './member.js';
import { isNotTaken, oneConnectionPath, roomIsFull } from './refusals.js';
import type { RoomService } from './rooms.js';
import type { StreamPlaces } from './stream-places.js';
import { Subscriber } from './subscriber.js';

interface SessionOptions {
  readonly session: Session;
  readonly room: string;
  readonly service: RoomService;
  readonly signalUrl: string;
  readonly tokens: Tokens;
  readonly picture: Picture;
  readonly connections: Connections;
  readonly agent?: string;
  readonly place: MemberOptions['place'];
  readonly onEvent: (event: ServerEvent) => void;
  /** The signalling connection of a participant ended from the other side. */
  readonly onLost: (leg: string, how: string) => void;
  readonly onClosed: () => void;
}

/** Packed stream ids, offers by the server, reasons of leaving: what clients of today have (livekit-server 1.13). */
const protocolVersion = 16;

/** Where a participant joins a room; who may do what there stands in its token. */
export function joinUrl(signalUrl: string, connections: Connections): string {
  if (connections === 'two') return `${signalUrl}/rtc?protocol=${protocolVersion}&auto_subscribe=1&adaptive_stream=0`;
  const clientInfo = new ClientInfo({ protocol: protocolVersion });
  const connectionSettings = new ConnectionSettings({ autoSubscribe: true });
  const joinRequest = new JoinRequest({ clientInfo, connectionSettings }).toBinary();
  const wrapped = Buffer.from(new WrappedJoinRequest({ joinRequest }).toBinary());
  // Its alphabet is that of URLs, and it wants the padding (RFC 4648, 5).
  const text = wrapped.toString('base64').replaceAll('+', '-').replaceAll('/', '_');
  return `${signalUrl}${oneConnectionPath}?join_request=${encodeURIComponent(text)}`;
}

/** One session on a LiveKit: a room, in which each participant has a signalling connection of its own. */
export class RoomSession implements ServerSession {
  /** By participant. */
  readonly #members = new Map<string, Promise<Member>>();
  /** Legs that have joined, by participant. */
  readonly #legs = new Map<string, Set<string>>();
  /** By leg. */
  readonly #bothWays = new Map<string, BothWays>();
  /** By leg. */
  readonly #places = new Map<string, StreamPlaces>();
  readonly #closing = new AbortController();
  /** Each stream that somebody sends: "1a video". */
  readonly #sent: readonly string[];
  #closed: Promise<void> | undefined;
  #present = 0;

  private constructor(private readonly options: SessionOptions) {
    // Each participant that receives listens; Node's warning at eleven is meant for leaks.
    setMaxListeners(0, this.#closing.signal);
    this.#sent = options.session.participants.flatMap(({ id, legs }) =>
      legs.flatMap(({ sends }) => sends.map((kind) => `${id} ${kind}`)),
    );
  }

  static async open(options: SessionOptions, signal: AbortSignal): Promise<RoomSession> {
    const isAnswered = options.session.shape === 'answer';
    await options.service.create(options.room, signal, isAnswered ? options.agent : undefined);
    // It is answered on the connection that it speaks on.
    return new RoomSession(isAnswered ? { ...options, connections: 'one' } : options);
  }

  async begin({ leg, participant, ...request }: SessionLegRequest): Promise<ProbeOffers | ServerOffers> {
    this.#check(leg, participant);
    const member = await this.#memberOf(participant, leg, request.signal);
    const { onEvent, connections } = this.options;
    const following = { member, request: { leg, participant, ...request }, onEvent, closing: this.#closing.signal };
    if (connections === 'one') this.#bothWays.set(leg.id, new BothWays(following));
    else if (leg.sends.length === 0) {
      const subscriber = new Subscriber(following);
      this.#places.set(leg.id, subscriber.places);
      return subscriber.begin();
    }
    const { iceServers } = member;
    return { by: 'probe', ...(iceServers.length === 0 ? {} : { iceServers }) };
  }

  async join(request: NegotiationRequest): Promise<Negotiated> {
    const member = await this.#members.get(request.participant.id);
    if (!member) throw notNow(request.leg);
    const { picture } = this.options;
    return this.#bothWays.get(request.leg.id)?.join(request, picture) ?? member.publish(request, picture);
  }

  async ask({ leg, source, ask }: LayerRequest): Promise<void> {
    (this.#bothWays.get(leg.id)?.places ?? this.#places.get(leg.id))?.ask(source, ask);
  }

  /** Throws where a room of this server cannot be what the leg is to be. */
  #check(leg: Leg, { id, legs }: Participant): void {
    const isBothWays = leg.sends.length > 0 && leg.receives.length > 0;
    if (isBothWays && this.options.connections === 'two') {
      throw refused(leg, 'a connection publishes or receives, never both');
    }
    const receiving = legs.filter(({ receives }) => receives.length > 0);
    if (leg.receives.length > 0 && receiving.length > 1) {
      throw refused(leg, 'a participant receives all others over one connection');
    }
    const received = new Set(
      receivedStreams(leg).map(({ kind, stream, from }) => `${stream ?? senderOfSource(from)} ${kind}`),
    );
    const more = this.#sent.find((one) => !one.startsWith(`${id} `) && !received.has(one));
    if (leg.receives.length > 0 && more !== undefined) {
      throw refused(leg, `a participant receives all that the others of its room send, ${more} among it`);
    }
  }

  /** It joins when its first connection is to be made. */
  #memberOf(participant: Participant, leg: Leg, signal: AbortSignal): Promise<Member> {
    const { id } = participant;
    const legs = this.#legs.get(id) ?? new Set<string>();
    if (this.#closed !== undefined || legs.has(leg.id)) return Promise.reject(notNow(leg));
    this.#legs.set(id, legs.add(leg.id));
    const known = this.#members.get(id);
    if (known) return known;
    const joining = this.#join(participant, leg, signal);
    this.#members.set(id, joining);
    return joining;
  }

  async #join({ id, legs }: Participant, leg: Leg, signal: AbortSignal): Promise<Member> {
    const { tokens, room, service, signalUrl, connections, place, onEvent, onLost } = this.options;
    const grants = {
      room,
      roomJoin: true,
      canPublish: legs.some(({ sends }) => sends.length > 0),
      canSubscribe: legs.some(({ receives }) => receives.length > 0),
    };
    const member = await Member.join(
      {
        place,
        url: joinUrl(signalUrl, connections),
        token: await tokens(id, grants),
        leg: leg.id,
        onEvent,
        onLost: (how) => onLost(leg.id, how),
      },
      signal,
    ).catch(async (error: unknown) => {
      const most = isNotTaken(error) ? await service.mostIn(room, signal) : undefined;
      throw most === undefined || this.#present < most ? error : roomIsFull(room, most);
    });
    // Whoever asked for it has left, and nobody would end it while the room stays.
    if (!signal.aborted && this.#closed === undefined) {
      this.#present += 1;
      return member;
    }
    await member.leave();
    signal.throwIfAborted();
    throw notNow(leg);
  }

  /** A participant leaves with its last connection. */
  async leave(legs: readonly string[]): Promise<void> {
    const leaving = [...this.#legs].filter(([, joined]) => {
      const had = joined.size;
      for (const leg of legs) joined.delete(leg);
      return had > 0 && joined.size === 0;
    });
    for (const [id] of leaving) this.#legs.delete(id);
    await Promise.all(leaving.map(([id]) => this.#end(id)));
  }

  async #end(participant: string): Promise<void> {
    const joining = this.#members.get(participant);
    this.#members.delete(participant);
    const member = await joining?.catch(() => undefined);
    if (!member) return;
    this.#present -= 1;
    await member.leave();
  }

  /** Everybody leaves, and the room is deleted. Idempotent. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const { service, room, onClosed } = this.options;
    this.#closing.abort(new Error('the session is closed'));
    await Promise.all([...this.#members.keys()].map((id) => this.#end(id)));
    onClosed();
    await service.delete(room, new AbortController().signal);
  }
}

function refused({ id }: Leg, why: string): LoadlineError {
  return new LoadlineError('E_SERVER_REFUSED', `Leg ${id} cannot be had on a LiveKit.`, { where: id, why });
}
