import { SignalRequest, SignalResponse } from '@livekit/protocol';
import { WebSocket } from 'ws';
import { once } from '../../host/once.js';
import { LoadlineError } from '../../model/errors.js';
import { AwaitedMessages } from '../sockets/awaited-messages.js';
import { hangUp, openSocket } from '../sockets/open-socket.js';
import { listenWithBounds } from '../sockets/socket-bounds.js';
import type { TrafficCount } from '../sockets/traffic-count.js';
import { hasNoOneConnection, oneConnectionPath, refusedByHttp } from './refusals.js';
import { aLiveKit } from './rooms.js';

type Request = SignalRequest['message'];
export type Response = SignalResponse['message'];

export interface SocketPlace {
  /** With what is asked of the server in its query. */
  readonly url: string;
  readonly token: string;
  readonly connectTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly traffic: TrafficCount;
}

interface SocketListener {
  readonly onMessage: (message: Response) => void;
  /** Not told after `close`. `how` is a sentence part. */
  readonly onEnd: (how: string) => void;
  /** What is no message of the protocol. */
  readonly onStray: (detail: string) => void;
}

/** What is no LiveKit answers 404, too. */
const isOfRoom = (text: string): boolean => /requested room/i.test(text);

/** Of requests, those that the server answers. */
const answered = new Set<Request['case']>(['offer', 'addTrack', 'pingReq']);

/** The signalling connection of one participant: messages of the server's protocol over a WebSocket. */
export class SignalSocket {
  readonly #awaited = new AwaitedMessages<Response>();
  #ended: string | undefined;
  #closing = false;

  private constructor(
    private readonly socket: WebSocket,
    private readonly place: SocketPlace,
  ) {}

  /** It comes paused; `resume` lets it speak. */
  static async open(place: SocketPlace, listener: SocketListener, signal: AbortSignal): Promise<SignalSocket> {
    const { url, token, connectTimeoutMs } = place;
    const refused = (status: number, text: string) => {
      if (status < 400) return undefined;
      if (status !== 404 || isOfRoom(text)) return refusedByHttp('join', place.url, status, text);
      return new URL(url).pathname.endsWith(oneConnectionPath) ? hasNoOneConnection(url) : undefined;
    };
    const opening = { address: { url, token }, timeoutMs: connectTimeoutMs, expected: { ...aLiveKit, refused } };
    const made = new SignalSocket(await openSocket(opening, signal), place);
    made.#listen(listener);
    return made;
  }

  #listen({ onMessage, onEnd, onStray }: SocketListener): void {
    listenWithBounds(this.socket, {
      onText: () => onStray('a text where its messages are binary'),
      onBytes: (bytes) => {
        this.place.traffic.received(bytes);
        const message = readMessage(bytes);
        if (message === undefined) return onStray(`${bytes.byteLength} bytes that are no message of it`);
        this.#awaited.look(message);
        onMessage(message);
      },
      onEnd: (how) => {
        this.#ended = how;
        this.giveUp(this.#gone(how));
        if (!this.#closing) onEnd(how);
      },
    });
  }

  resume(): void {
    this.socket.resume();
  }

  send(message: Request): void {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    const bytes = new SignalRequest({ message }).toBinary();
    if (answered.has(message.case)) this.place.traffic.asked(bytes);
    else this.place.traffic.said(bytes);
    this.socket.send(bytes);
  }

  /**
   * Resolves with the first message to come that `pick` makes something of. Rejects in bounded time with
   * E_SERVER_TIMEOUT, E_SERVER_LOST, what `pick` throws, or the signal's reason.
   */
  next<T>(what: string, pick: (message: Response) => T | undefined, signal?: AbortSignal): Promise<T> {
    if (this.#ended !== undefined) return Promise.reject(this.#gone(this.#ended));
    return this.#awaited.next(pick, { timeoutMs: this.place.requestTimeoutMs, late: () => this.#late(what), signal });
  }

  /** Everybody who waits is told so. */
  giveUp(error: LoadlineError): void {
    this.#awaited.giveUp(error);
  }

  /** Idempotent. */
  readonly close = once(() => {
    this.#closing = true;
    return hangUp(this.socket);
  });

  #gone(why: string): LoadlineError {
    return new LoadlineError('E_SERVER_LOST', 'The signalling connection of the participant is gone.', {
      where: this.place.url,
      why,
    });
  }

  #late(what: string): LoadlineError {
    return new LoadlineError('E_SERVER_TIMEOUT', `The LiveKit did not answer "${what}".`, {
      where: this.place.url,
      why: `no answer in ${this.place.requestTimeoutMs / 1000} s`,
    });
  }
}

function readMessage(bytes: Uint8Array): Response | undefined {
  try {
    return SignalResponse.fromBinary(bytes).message;
  } catch {
    return undefined;
  }
}
