import {
  DisconnectReason,
  type JoinResponse,
  LeaveRequest,
  LeaveRequest_Action,
  type MediaSectionsRequirement,
  Ping,
  SessionDescription,
  SignalTarget,
  TrickleRequest,
  type UpdateTrackSettings,
} from '@livekit/protocol';
import { once } from '../../host/once.js';
import { LoadlineError } from '../../model/errors.js';
import { given } from '../../model/given.js';
import type { ServerEvent } from '../../model/server-event.js';
import type { IceCandidate, IceServer, Negotiated, NegotiationRequest } from '../../model/signalling.js';
import { announcementOf, publishedOf } from './announcement.js';
import { Attendance } from './attendance.js';
import { iceCandidateOf, iceServersOf } from './ice-words.js';
import { Inbox } from './inbox.js';
import type { Picture } from './livekit-options.js';
import { eventsOf, leaveText, permissionEvent, permissionText } from './member-events.js';
import { tracksIn } from './offered-tracks.js';
import { type Response, SignalSocket, type SocketPlace } from './signal-socket.js';

export interface MemberOptions {
  readonly place: Omit<SocketPlace, 'url' | 'token'>;
  readonly url: string;
  readonly token: string;
  /** The leg that is named where the server speaks of the participant as a whole. */
  readonly leg: string;
  readonly onEvent: (event: ServerEvent) => void;
  /** Its signalling connection ended from the other side. */
  readonly onLost: (how: string) => void;
}

type OnCandidate = (candidate: IceCandidate) => void;

/** One participant in a room: a signalling connection, and up to one connection of media each way. */
export class Member {
  readonly attendance = new Attendance();
  #socket: SignalSocket | undefined;
  #joined: JoinResponse | undefined;
  #pinging: NodeJS.Timeout | undefined;
  /** Candidates of the server come before anybody asked for them. */
  readonly #candidates = new Map<SignalTarget, IceCandidate[]>();
  readonly #onCandidate = new Map<SignalTarget, OnCandidate>();
  /** Offers of the server for what the participant receives. */
  readonly offers = new Inbox<SessionDescription>();
  /** On one connection for both ways: the server wants an offer, with this many more sections. */
  readonly wanted = new Inbox<MediaSectionsRequirement>();
  /** Why it is there no more. */
  #gone: string | undefined;
  #leaving = false;
  #offered = 0;
  /** Events by name, as last told. */
  readonly #said = new Map<string, string>();

  private constructor(private readonly options: MemberOptions) {}

  /** Joins a room. When that fails, nothing is left behind. */
  static async join(options: MemberOptions, signal: AbortSignal): Promise<Member> {
    const member = new Member(options);
    const { place, url, token, onEvent, leg } = options;
    const socket = await SignalSocket.open(
      { ...place, url, token },
      {
        onMessage: (message) => member.#hear(message),
        onEnd: (how) => member.#lost(how),
        onStray: (detail) => onEvent({ kind: 'other', atMs: Date.now(), leg, name: 'unreadable', detail }),
      },
      signal,
    );
    member.#socket = socket;
    try {
      const joining = socket.next('join', (message) => (message.case === 'join' ? message.value : undefined), signal);
      socket.resume();
      member.#greet(await joining);
      return member;
    } catch (error) {
      await socket.close();
      throw error;
    }
  }

  #greet(joined: JoinResponse): void {
    this.#joined = joined;
    this.attendance.note(joined.otherParticipants);
    const { permission } = joined.participant ?? {};
    if (permission) this.#said.set(permissionEvent, permissionText(permission));
    if (joined.pingInterval > 0) {
      this.#pinging = setInterval(() => this.#ping(), joined.pingInterval * 1000).unref();
    }
  }

  /** What the server says of itself. */
  get version(): string | undefined {
    return this.#joined?.serverInfo?.version || this.#joined?.serverVersion || undefined;
  }

  get iceServers(): readonly IceServer[] {
    return iceServersOf(this.#joined?.iceServers ?? []);
  }

  get #link(): SignalSocket {
    if (this.#socket && this.#gone === undefined) return this.#socket;
    throw isGone(this.options.url, this.#gone ?? 'it has not joined');
  }

  #ping(): void {
    this.#socket?.send({ case: 'pingReq', value: new Ping({ timestamp: BigInt(Date.now()) }) });
  }

  #hear(message: Response): void {
    // That everybody is sent away when the room is deleted is no news.
    if (this.#leaving) return;
    const { onEvent, leg } = this.options;
    switch (message.case) {
      case 'trickle':
        this.#hearCandidate(message.value);
        break;
      case 'offer':
        this.offers.put(message.value);
        break;
      case 'mediaSectionsRequirement':
        this.wanted.put(message.value);
        break;
      case 'update':
        this.attendance.note(message.value.participants);
        break;
      case 'leave':
        this.#end(leaveText(message.value));
        break;
    }
    const told = { sid: this.#joined?.participant?.sid ?? '', leg, attendance: this.attendance };
    for (const event of eventsOf(message, told, Date.now())) if (this.#isNews(event)) onEvent(event);
  }

  /** The server says again every few seconds how a connection is. */
  #isNews(event: ServerEvent): boolean {
    if (event.kind !== 'other') return true;
    const { name, detail } = event;
    if (this.#said.get(name) === detail) return false;
    this.#said.set(name, detail);
    return true;
  }

  #lost(how: string): void {
    clearInterval(this.#pinging);
    this.#end(how);
    this.options.onLost(this.#gone ?? how);
  }

  /** Whoever waits for something is told why it does not come. */
  #end(why: string): void {
    this.#gone ??= why;
    const gone = isGone(this.options.url, this.#gone);
    this.#socket?.giveUp(gone);
    this.offers.end(gone);
    this.wanted.end(gone);
  }

  #hearCandidate({ candidateInit, target }: TrickleRequest): void {
    const candidate = iceCandidateOf(candidateInit);
    if (!candidate) return;
    const listener = this.#onCandidate.get(target);
    if (listener) listener(candidate);
    else this.#candidates.set(target, [...(this.#candidates.get(target) ?? []), candidate]);
  }

  /** The server's candidates for its connection that way, those that came before among them. */
  candidatesOf(target: SignalTarget, listener: OnCandidate): void {
    this.#onCandidate.set(target, listener);
    for (const candidate of this.#candidates.get(target) ?? []) listener(candidate);
    this.#candidates.delete(target);
  }

  async trickle(target: SignalTarget, candidate: IceCandidate): Promise<void> {
    const value = new TrickleRequest({ target, candidateInit: JSON.stringify(candidate) });
    this.#link.send({ case: 'trickle', value });
  }

  /** Announces what the offer sends, and has the offer answered. */
  async publish(request: NegotiationRequest, picture: Picture): Promise<Negotiated> {
    const { offer, participant, leg, onCandidate, signal } = request;
    const link = this.#link;
    this.candidatesOf(SignalTarget.PUBLISHER, onCandidate);
    const announced = tracksIn(offer).map((track) => {
      const published = link.next(`publish ${track.kind}`, (message) => publishedOf(message, track.cid), signal);
      // It may fail before it is waited for, and the others with it.
      published.catch(() => undefined);
      const sent = given({ ...picture, layers: leg.layers ?? (leg.screen ? undefined : picture.layers) });
      link.send({ case: 'addTrack', value: announcementOf(track, participant.id, sent) });
      return published;
    });
    const answering = this.answered(offer, signal);
    answering.catch(() => undefined);
    await Promise.all(announced);
    const answer = await answering;
    return { answer, addCandidate: (candidate) => this.trickle(SignalTarget.PUBLISHER, candidate) };
  }

  /** The server's answer to an offer, of which there is one at a time. */
  async answered(sdp: string, signal: AbortSignal): Promise<string> {
    const link = this.#link;
    const answering = link.next('offer', (said) => (said.case === 'answer' ? said.value.sdp : undefined), signal);
    this.#offered += 1;
    link.send({ case: 'offer', value: new SessionDescription({ type: 'offer', sdp, id: this.#offered }) });
    return answering;
  }

  answer({ id }: SessionDescription, sdp: string): void {
    this.#link.send({ case: 'answer', value: new SessionDescription({ type: 'answer', sdp, id }) });
  }

  /** How tracks that it receives are to come. */
  set(value: UpdateTrackSettings): void {
    this.#link.send({ case: 'trackSetting', value });
  }

  /** Says that it leaves, and hangs up. Idempotent. */
  readonly leave = once(async () => {
    this.#leaving = true;
    clearInterval(this.#pinging);
    const value = new LeaveRequest({
      reason: DisconnectReason.CLIENT_INITIATED,
      action: LeaveRequest_Action.DISCONNECT,
    });
    this.#socket?.send({ case: 'leave', value });
    await this.#socket?.close();
  });
}

function isGone(where: string, why: string): LoadlineError {
  return new LoadlineError('E_SERVER_REFUSED', 'The participant is no longer in its room.', { where, why });
}
