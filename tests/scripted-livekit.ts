import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  DisconnectReason,
  JoinResponse,
  ParticipantInfo,
  ParticipantInfo_State,
  ParticipantUpdate,
  ServerInfo,
  SessionDescription,
  SignalRequest,
  SignalResponse,
  TrackInfo,
  TrackPublishedResponse,
} from '@livekit/protocol';
import { type WebSocket, WebSocketServer } from 'ws';

type Said = SignalResponse['message'];
export type Heard = SignalRequest['message'];

interface Client {
  readonly identity: string;
  readonly room: string;
  readonly mayReceive: boolean;
  /** It has announced something, and offered. */
  publishes: boolean;
  /** Its answer to the last offer is to come. */
  isOffered: boolean;
  mustOffer: boolean;
  offers: number;
  readonly socket: WebSocket;
}

interface Behaviour {
  /** In place of what the server does with a message: what it says, or nothing. */
  readonly script?: (message: Heard, identity: string) => readonly Said[] | 'hang-up' | undefined;
  /** An answer of HTTP in place of a room's or the room service's. */
  readonly http?: (path: string) => HttpAnswer | undefined;
  /** Rooms are listed still when they are deleted. */
  readonly keepsRooms?: boolean;
  /** What the list says that a room may have; who comes is not counted. */
  readonly roomHolds?: number;
}

interface RoomRequest {
  readonly name: string;
  readonly room: string;
  readonly agents: readonly { readonly agent_name: string }[];
}

interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

export const scriptedKeys = { LIVEKIT_API_KEY: 'key', LIVEKIT_API_SECRET: 'a secret' } as const;

/** A server that answers as livekit-server 1.13 does on the wire, except where it is told otherwise. */
export async function scriptedLiveKit(behaviour: Behaviour = {}): Promise<ScriptedLiveKit> {
  const kit = new ScriptedLiveKit(behaviour);
  await kit.listen();
  return kit;
}

export class ScriptedLiveKit {
  readonly rooms = new Map<string, number>();
  /** What participants said, in order of arrival. */
  readonly heard: { readonly identity: string; readonly message: Heard }[] = [];
  /** Claims of the tokens that were shown, and how requests began. */
  readonly tokens: Readonly<Record<string, unknown>>[] = [];
  readonly asked: string[] = [];
  /** Agents that rooms were made with. */
  readonly agents: string[] = [];
  readonly #clients = new Set<Client>();
  readonly #sockets = new WebSocketServer({ noServer: true });
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  url = '';

  constructor(private readonly behaviour: Behaviour) {
    this.#server.on('upgrade', (request, stream, head) => {
      const refused = this.#refusalOf(request);
      if (refused) {
        stream.end(`HTTP/1.1 ${refused.status} No\r\n\r\n${refused.text}`);
        return;
      }
      const { sub, video } = this.tokens.at(-1) as { sub: string; video: { room: string; canSubscribe?: boolean } };
      this.#sockets.handleUpgrade(request, stream, head, (socket) => {
        const mayReceive = video.canSubscribe !== false;
        const rest = { publishes: false, isOffered: false, mustOffer: false, offers: 0 };
        this.#come({ identity: sub, room: video.room, mayReceive, socket, ...rest });
      });
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `livekit://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Says something to a participant. */
  say(identity: string, message: Said): void {
    for (const one of this.#clients) if (one.identity === identity) say(one, message);
  }

  sayBytes(identity: string, bytes: Buffer): void {
    for (const one of this.#clients) if (one.identity === identity) one.socket.send(bytes);
  }

  hangUp(): void {
    for (const { socket } of this.#clients) socket.terminate();
  }

  close(): Promise<void> {
    this.hangUp();
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #refusalOf(request: IncomingMessage): HttpAnswer | undefined {
    const path = request.url ?? '';
    this.asked.push(`${request.method} ${path.replace(/\?.*/, '')}`);
    const said = this.behaviour.http?.(path);
    if (said) return said;
    const token = /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const [head, claims = '', signature] = token.split('.');
    const { LIVEKIT_API_KEY: key, LIVEKIT_API_SECRET: secret } = scriptedKeys;
    const read = JSON.parse(Buffer.from(claims, 'base64url').toString() || '{}');
    this.tokens.push(read);
    if (read.iss !== key) return { status: 401, text: `invalid API key: ${read.iss}` };
    const right = createHmac('sha256', secret).update(`${head}.${claims}`).digest('base64url');
    if (signature === right) return undefined;
    return { status: 401, text: `invalid token: ${token}, error: token signature is invalid: signature is invalid` };
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const part of request) text += part;
    const { status, text: said } = this.#refusalOf(request) ?? this.#serviced(request.url ?? '', JSON.parse(text));
    response.writeHead(status, { location: '/elsewhere' }).end(said);
  }

  #serviced(path: string, body: RoomRequest): HttpAnswer {
    const { rooms } = this;
    switch (path.split('/').at(-1)) {
      case 'CreateRoom':
        rooms.set(body.name, 0);
        this.agents.push(...body.agents.map(({ agent_name }) => agent_name));
        return { status: 200, text: JSON.stringify({ name: body.name }) };
      case 'ListRooms': {
        const max_participants = this.behaviour.roomHolds ?? 0;
        const listed = [...rooms].map(([name, num_participants]) => ({ name, num_participants, max_participants }));
        return { status: 200, text: JSON.stringify({ rooms: listed }) };
      }
      default:
        if (!rooms.has(body.room)) return { status: 404, text: '{"code":"not_found"}' };
        if (!this.behaviour.keepsRooms) rooms.delete(body.room);
        for (const one of this.#clients) if (one.room === body.room) one.socket.close();
        return { status: 200, text: '{}' };
    }
  }

  #others(one: Client): readonly Client[] {
    return [...this.#clients].filter((other) => other !== one && other.room === one.room);
  }

  #come(one: Client): void {
    const otherParticipants = this.#others(one).map(infoOf);
    this.#clients.add(one);
    this.rooms.set(one.room, (this.rooms.get(one.room) ?? 0) + 1);
    const { socket } = one;
    socket.on('message', (data) => this.#hear(one, SignalRequest.fromBinary(new Uint8Array(data as Buffer)).message));
    socket.on('close', () => this.#clients.delete(one));
    const serverInfo = new ServerInfo({ version: '1.13.5' });
    const join = { otherParticipants, serverInfo, participant: infoOf(one), pingInterval: 5, pingTimeout: 15 };
    say(one, { case: 'join', value: new JoinResponse(join) });
    this.#offer(one);
    for (const other of this.#others(one)) say(other, updateOf(infoOf(one)));
  }

  #hear(one: Client, message: Heard): void {
    this.heard.push({ identity: one.identity, message });
    const said = this.behaviour.script?.(message, one.identity) ?? this.#said(one, message);
    if (said === 'hang-up') one.socket.terminate();
    else for (const each of said) say(one, each);
  }

  #said(one: Client, message: Heard): readonly Said[] {
    switch (message.case) {
      case 'addTrack': {
        const { cid } = message.value;
        const track = new TrackInfo({ sid: `TR_${cid}` });
        return [{ case: 'trackPublished', value: new TrackPublishedResponse({ cid, track }) }];
      }
      case 'offer':
        one.publishes = true;
        for (const other of this.#others(one)) this.#offer(other);
        return [{ case: 'answer', value: new SessionDescription({ type: 'answer', sdp: 'the answer' }) }];
      case 'answer':
        one.isOffered = false;
        if (one.mustOffer) this.#offer(one);
        return [];
      case 'leave':
        this.#leave(one);
        return [];
      default:
        return [];
    }
  }

  #leave(one: Client): void {
    this.#clients.delete(one);
    one.socket.close();
    const left = { state: ParticipantInfo_State.DISCONNECTED, disconnectReason: DisconnectReason.CLIENT_INITIATED };
    for (const other of this.#others(one)) {
      this.#offer(other);
      say(other, updateOf(new ParticipantInfo({ ...infoOf(one), ...left })));
    }
  }

  /** Of all who publish; the next one waits until this one is answered. */
  #offer(one: Client): void {
    if (!one.mayReceive) return;
    one.mustOffer = one.isOffered;
    if (one.isOffered) return;
    one.isOffered = true;
    one.offers += 1;
    const sent = this.#others(one).filter(({ publishes }) => publishes);
    const sections = sent.map(({ identity }, nth) => sectionOf(identity, nth));
    const sdp = ['v=0\r\n', ...sections, 'm=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\na=mid:9\r\n'].join('');
    say(one, { case: 'offer', value: new SessionDescription({ type: 'offer', sdp, id: one.offers }) });
  }
}

const say = ({ socket }: Client, message: Said): void => socket.send(new SignalResponse({ message }).toBinary());

const infoOf = ({ identity }: Client) =>
  new ParticipantInfo({ sid: `PA_${identity}`, identity, state: ParticipantInfo_State.ACTIVE });

const updateOf = (info: ParticipantInfo): Said => ({
  case: 'update',
  value: new ParticipantUpdate({ participants: [info] }),
});

const sectionOf = (identity: string, mid: number): string =>
  `m=video 9 UDP/TLS/RTP/SAVPF 96\r\na=mid:${mid}\r\na=sendonly\r\na=msid:PA_${identity}|camera TR_${identity}\r\n`;
