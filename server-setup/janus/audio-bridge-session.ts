import type { Session } from '../../model/scenario.js';
import type { ServerEvent } from '../../model/server-event.js';
import type { Negotiated, NegotiationRequest } from '../../model/signalling.js';
import type { ServerSession } from '../media-server.js';
import { notNow } from '../session-owner.js';
import { handOn } from './handle-events.js';
import { audioBridgePlugin, type Handle, type JanusCalls } from './janus-calls.js';
import { closeRoom, type OpenRoom, openRoom } from './open-room.js';
import { createAudioRoom } from './rooms.js';

interface AudioSessionOptions {
  readonly session: Session;
  readonly calls: JanusCalls;
  readonly description: string;
  readonly onEvent: (event: ServerEvent) => void;
  readonly onEnded: () => void;
}

/** A sound room on a Janus: AudioBridge sends each member the mix of the others over its sending connection. */
export class AudioBridgeSession implements ServerSession {
  readonly #handles = new Map<string, Handle>();
  #closed: Promise<void> | undefined;

  private constructor(
    private readonly options: AudioSessionOptions,
    private readonly opened: OpenRoom,
  ) {}

  static async open(options: AudioSessionOptions, signal: AbortSignal): Promise<AudioBridgeSession> {
    const { calls, description, onEnded } = options;
    const create = (handle: Handle) => createAudioRoom(calls, handle, description);
    const opened = await openRoom({ calls, plugin: audioBridgePlugin, create, onEnded }, signal);
    return new AudioBridgeSession(options, opened);
  }

  async join({ leg, participant, offer, onCandidate, signal }: NegotiationRequest): Promise<Negotiated> {
    const { calls, onEvent } = this.options;
    if (this.#closed !== undefined || this.#handles.has(leg.id)) throw notNow(leg);
    const { session, room } = this.opened;
    const handle = await calls.attach(session, audioBridgePlugin);
    this.#handles.set(leg.id, handle);
    calls.listen(handle, (frame) => handOn(frame, leg.id, { onCandidate, onEvent }));
    await calls.message(handle, { request: 'join', room, display: participant.id, muted: false }, { signal });
    const jsep = { type: 'offer', sdp: offer } as const;
    const answered = await calls.message(handle, { request: 'configure', muted: false }, { jsep, signal });
    return calls.negotiated(handle, answered, 'a member of an audio room', signal);
  }

  /** Ends the room, and the session with all its handles. Idempotent. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  #close(): Promise<void> {
    const { calls } = this.options;
    // That everybody is sent away is no news.
    for (const one of this.#handles.values()) calls.forget(one);
    return closeRoom(calls, this.opened);
  }
}
