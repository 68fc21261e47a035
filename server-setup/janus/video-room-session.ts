import { setMaxListeners } from 'node:events';
import type { ScalabilityMode } from '../../model/codec.js';
import { LoadlineError } from '../../model/errors.js';
import { isSending, type Leg, type Session } from '../../model/scenario.js';
import type { ServerEvent } from '../../model/server-event.js';
import type { Negotiated, NegotiationRequest, ProbeOffers, ServerOffers } from '../../model/signalling.js';
import type { LayerRequest, ServerSession, SessionLegRequest } from '../media-server.js';
import type { RecordingShelf } from '../recordings/recording-shelf.js';
import { notNow } from '../session-owner.js';
import { FeedBook } from './feed-book.js';
import { handOn } from './handle-events.js';
import { type Handle, type JanusCalls, videoRoomPlugin } from './janus-calls.js';
import { closeRoom, type OpenRoom, openRoom } from './open-room.js';
import { RoomRecorder } from './room-recorder.js';
import { createVideoRoom, type VideoRoomOptions } from './rooms.js';
import { Subscriber } from './subscriber.js';

interface SessionOptions {
  readonly session: Session;
  readonly calls: JanusCalls;
  readonly room: Omit<VideoRoomOptions, 'publishers'>;
  /** Where what participants send is recorded; left out: nothing is. */
  readonly shelf: RecordingShelf | undefined;
  readonly onEvent: (event: ServerEvent) => void;
  /** Janus has ended it by itself. */
  readonly onEnded: () => void;
}

/** One session on a Janus: a room of VideoRoom, in a session of Janus that has a handle for each leg. */
export class VideoRoomSession implements ServerSession {
  readonly #feeds = new FeedBook();
  readonly #recorder: RoomRecorder | undefined;
  readonly #handles = new Map<string, Handle>();
  /** By leg. */
  readonly #subscribers = new Map<string, Subscriber>();
  readonly #closing = new AbortController();
  #closed: Promise<void> | undefined;

  private constructor(
    private readonly options: SessionOptions,
    private readonly opened: OpenRoom,
  ) {
    const { calls, shelf, onEvent } = options;
    this.#recorder = shelf && new RoomRecorder({ calls, shelf, onEvent });
    // Each participant that subscribes listens; Node's warning at eleven is meant for leaks.
    setMaxListeners(0, this.#closing.signal);
  }

  /** When that fails half-way, nothing is left behind. */
  static async open(options: SessionOptions, signal: AbortSignal): Promise<VideoRoomSession> {
    const { calls, session, onEnded, room } = options;
    const senders = session.participants.filter(isSending);
    const publishers = Math.max(1, senders.length);
    const create = (handle: Handle) => createVideoRoom(calls, handle, { ...room, publishers });
    return new VideoRoomSession(options, await openRoom({ calls, plugin: videoRoomPlugin, create, onEnded }, signal));
  }

  async begin(request: SessionLegRequest): Promise<ProbeOffers | ServerOffers> {
    const { leg } = request;
    if (leg.sends.length > 0) return { by: 'probe' };
    const { calls, onEvent } = this.options;
    const { room } = this.opened;
    const handle = await this.#attach(leg, request.signal);
    const rest = { feeds: this.#feeds, onEvent, closing: this.#closing.signal, svc: this.options.room.svc };
    const subscriber = new Subscriber({ calls, handle, room, request, ...rest });
    this.#subscribers.set(leg.id, subscriber);
    return subscriber.begin();
  }

  async ask({ leg, source, ask }: LayerRequest): Promise<void> {
    await this.#subscribers.get(leg.id)?.ask(source, ask);
  }

  async join(request: NegotiationRequest): Promise<Negotiated> {
    const { leg, participant } = request;
    if (leg.receives.length > 0) throw notBothWays(leg);
    const { calls, session } = this.options;
    const { room } = this.opened;
    const handle = await this.#attach(leg, request.signal);
    const feed = session.participants.findIndex(({ id }) => id === participant.id) + 1;
    const onUp = () => this.#feeds.put(participant.id, feed);
    const onLeft = () => this.#feeds.leave(participant.id);
    const recordInto = this.#recorder?.attach(handle, participant.id, leg);
    const onEvent = (event: ServerEvent) => this.#hear(event);
    const { svc } = leg.screen ? {} : this.options.room;
    return publish({ calls, handle, room, feed, svc, recordInto, onEvent, onUp, onLeft }, request);
  }

  #hear(event: ServerEvent): void {
    this.#recorder?.onServerEvent(event);
    this.options.onEvent(event);
  }

  /** Ends what is being recorded. Idempotent, never rejects. */
  async stopRecording(): Promise<void> {
    await this.#recorder?.stop();
  }

  async #attach(leg: Leg, signal: AbortSignal): Promise<Handle> {
    if (this.#closed !== undefined || this.#handles.has(leg.id)) throw notNow(leg);
    const { calls } = this.options;
    const handle = await calls.attach(this.opened.session, videoRoomPlugin);
    if (signal.aborted) {
      // Whoever asked for it has left, and nobody would end it while the room stays.
      if (this.#closed === undefined) await calls.detach(handle);
      signal.throwIfAborted();
    }
    this.#handles.set(leg.id, handle);
    return handle;
  }

  async leave(legs: readonly string[]): Promise<void> {
    const handles = legs.flatMap((leg) => this.#handles.get(leg) ?? []);
    for (const leg of legs) {
      this.#handles.delete(leg);
      this.#subscribers.delete(leg);
    }
    await Promise.all(handles.map((handle) => this.options.calls.detach(handle)));
  }

  /** Ends the room and the session with all its handles. Idempotent. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const { calls } = this.options;
    await this.stopRecording();
    this.#closing.abort(new Error('the session is closed'));
    // That everybody is sent away is no news.
    for (const one of this.#handles.values()) calls.forget(one);
    await closeRoom(calls, this.opened);
  }
}

function notBothWays({ id }: Leg): LoadlineError {
  return new LoadlineError('E_SERVER_REFUSED', `Leg ${id} sends and receives on one connection.`, {
    where: id,
    why: 'a connection of VideoRoom publishes or subscribes, never both',
  });
}

interface PublisherOptions {
  readonly calls: JanusCalls;
  readonly handle: Handle;
  readonly room: number;
  /** Its number in the room, by which others subscribe to it. */
  readonly feed: number;
  /** The layers within the stream of its video; absent: it has one. */
  readonly svc: ScalabilityMode | undefined;
  /** The base of the names of the files that what it sends is recorded in; absent: nothing is. */
  readonly recordInto: string | undefined;
  readonly onEvent: (event: ServerEvent) => void;
  /** It is connected: from here on others can subscribe to it. */
  readonly onUp: () => void;
  /** It closed its connection itself. */
  readonly onLeft: () => void;
}

/** What Janus says of a peer that closes: DTLS tells it (RFC 8446, close_notify). ICE failure is another reason. */
const closedByPeer = 'DTLS alert';

const videosOf = (sdp: string, svc: ScalabilityMode) =>
  [...sdp.matchAll(/^m=(\w+)/gm)].flatMap(([, kind], mindex) => (kind === 'video' ? [{ mindex, svc }] : []));

/** The connection by which a participant publishes: it offers, and joins the room with its offer. */
async function publish(options: PublisherOptions, request: NegotiationRequest): Promise<Negotiated> {
  const { calls, handle, room, feed, svc, recordInto, onEvent, onUp, onLeft } = options;
  // From the first packet on: pictures of a recording that begins later cannot be decoded before the next key frame.
  const recording = recordInto === undefined ? {} : { record: true, filename: recordInto };
  const { participant, leg, onCandidate, signal } = request;
  calls.listen(handle, (frame) => {
    if (frame.janus === 'webrtcup') onUp();
    if (frame.janus === 'hangup' && frame.reason === closedByPeer) onLeft();
    handOn(frame, leg.id, { onCandidate, onEvent });
  });
  const frame = await calls.message(
    handle,
    { request: 'joinandconfigure', ptype: 'publisher', room, id: feed, display: participant.id, ...recording },
    { jsep: { type: 'offer', sdp: request.offer, ...(svc ? { svc: videosOf(request.offer, svc) } : {}) }, signal },
  );
  return calls.negotiated(handle, frame, 'somebody who publishes', signal);
}
