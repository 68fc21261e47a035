import { WebSocket } from 'ws';
import { once } from '../../host/once.js';
import { LoadlineError } from '../../model/errors.js';
import { jsonIn } from '../../model/json-text.js';
import { AwaitedMessages } from '../sockets/awaited-messages.js';
import { type Expected, hangUp, openSocket } from '../sockets/open-socket.js';
import { listenWithBounds, tooDeep } from '../sockets/socket-bounds.js';
import type { TrafficCount } from '../sockets/traffic-count.js';

/** A message of a server: an object of JSON. */
export type Message = Readonly<Record<string, unknown>>;

interface SocketPlace {
  readonly url: string;
  readonly expected: Expected;
  /** For opening it, and for each message that is waited for. */
  readonly timeoutMs: number;
  readonly traffic: TrafficCount;
}

interface SocketListener {
  /** Not told after `close`. `how` is a sentence part. */
  readonly onEnd: (how: string) => void;
  /** What is no object of JSON. */
  readonly onStray: (detail: string) => void;
}

/** The signalling connection of one stream: objects of JSON over a WebSocket. */
export class MessageSocket {
  readonly #awaited = new AwaitedMessages<Message>();
  #hear: (message: Message) => void = () => undefined;
  #ended: string | undefined;
  #closing = false;

  private constructor(
    private readonly socket: WebSocket,
    private readonly place: SocketPlace,
  ) {}

  /** Rejects as `openSocket` does. */
  static async open(place: SocketPlace, listener: SocketListener, signal: AbortSignal): Promise<MessageSocket> {
    const { url, expected, timeoutMs } = place;
    const made = new MessageSocket(await openSocket({ address: { url }, timeoutMs, expected }, signal), place);
    made.#listen(listener);
    made.socket.resume();
    return made;
  }

  #listen({ onEnd, onStray }: SocketListener): void {
    listenWithBounds(this.socket, {
      onText: (text) => {
        this.place.traffic.received(text);
        const message = readMessage(text);
        if (message === undefined) return onStray(`${text.length} characters that are no message of it`);
        this.#awaited.look(message);
        this.#hear(message);
      },
      onEnd: (how) => {
        this.#ended = how;
        this.#awaited.giveUp(this.#gone(how));
        if (!this.#closing) onEnd(how);
      },
    });
  }

  /** All messages from here on, those that are waited for, too. */
  hear(listener: (message: Message) => void): void {
    this.#hear = listener;
  }

  get isOpen(): boolean {
    return this.socket.readyState === WebSocket.OPEN;
  }

  /** What is said to a connection that is gone is lost. */
  say(message: Message): void {
    if (!this.isOpen) return;
    const text = JSON.stringify(message);
    this.place.traffic.said(text);
    this.socket.send(text);
  }

  /**
   * Says it, and resolves with the first message that `pick` makes something of. Rejects in bounded time with
   * E_SERVER_TIMEOUT, E_SERVER_LOST, what `pick` throws, or the signal's reason.
   */
  ask<T>(message: Message, pick: (answer: Message) => T | undefined, signal?: AbortSignal): Promise<T> {
    if (this.#ended !== undefined) return Promise.reject(this.#gone(this.#ended));
    const { timeoutMs, traffic } = this.place;
    const answer = this.#awaited.next(pick, { timeoutMs, late: () => this.#late(String(message.command)), signal });
    if (this.isOpen) {
      const text = JSON.stringify(message);
      traffic.asked(text);
      this.socket.send(text);
    }
    return answer;
  }

  /** Idempotent. */
  readonly close = once(() => {
    this.#closing = true;
    return hangUp(this.socket);
  });

  #gone(why: string): LoadlineError {
    return new LoadlineError('E_SERVER_LOST', 'The signalling connection of the stream is gone.', {
      where: shownUrl(this.place.url),
      why,
    });
  }

  #late(what: string): LoadlineError {
    return new LoadlineError('E_SERVER_TIMEOUT', `The media server did not answer "${what}".`, {
      where: shownUrl(this.place.url),
      why: `no answer in ${this.place.timeoutMs / 1000} s`,
    });
  }
}

/** Without its query, which may hold what nobody else is to see. */
export const shownUrl = (url: string): string => url.replace(/\?.*$/s, '');

function readMessage(text: string): Message | undefined {
  const value = tooDeep(text) === undefined ? jsonIn(text) : undefined;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Message) : undefined;
}
