import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { once } from '../../host/once.js';
import { hangUp, openSocket, type SocketAddress } from '../sockets/open-socket.js';
import { listenWithBounds } from '../sockets/socket-bounds.js';
import { type FrameError, type KurentoFrame, type ObjectEvent, readFrame } from './frame.js';
import { aKurento, serverManagerId } from './kurento-options.js';

/** What became of a request: exactly one of these, in bounded time. */
export type Outcome =
  | { readonly kind: 'answered'; readonly result: unknown }
  | { readonly kind: 'refused'; readonly error: FrameError }
  /** The connection ended, or there is none; `why` is a sentence part. */
  | { readonly kind: 'lost'; readonly why: string }
  | { readonly kind: 'timeout'; readonly why: string };

interface Pending {
  readonly method: string;
  /** What is asked of the server as a whole, as its load, is no signalling of participants. */
  readonly isEvidence: boolean;
  readonly timer: NodeJS.Timeout;
  readonly settle: (outcome: Outcome) => void;
}

/** As often as Kurento's own client: what stands between may end a connection on which nothing goes. */
const pingIntervalMs = 60_000;
const reconnectDelaysMs: readonly number[] = [100, 200, 400, 800, 1600];
const reconnectDelayMsMax = 2000;
const reopenTimeoutMs = 4000;
const lateRepliesMax = 256;

/**
 * JSON-RPC 2.0 over a WebSocket, as a Kurento speaks it: requests with ids, `onEvent` notifications, and a session that
 * the first answer names and each later request belongs to. Each request is a frame of its own and has exactly one
 * outcome. A lost connection is re-opened and its session asked for; what was under way then is `lost`, and never sent
 * a second time.
 */
export class KurentoSocket {
  readonly #pending = new Map<number, Pending>();
  readonly #late = new Map<number, string>();
  readonly #stopped = new AbortController();
  readonly #ping: NodeJS.Timeout;
  #socket: WebSocket | undefined;
  /** Never one twice, on whatever connection: a Kurento answers an id that it knows with what it answered before. */
  #nextId = 0;
  #sessionId: string | undefined;
  #reopenings = 0;
  #finishResume: ((error: FrameError | undefined) => void) | undefined;

  /** `opened` comes paused, as `openSocket` gives it. */
  constructor(
    private readonly address: SocketAddress,
    opened: WebSocket,
    private readonly requestTimeoutMs: number,
    private readonly listener: SocketListener,
  ) {
    this.#attach(opened);
    this.#socket = opened;
    // What a ping finds out the other calls find out, too, and `onLost` tells of it.
    this.#ping = setInterval(() => void this.request('ping', {}), pingIntervalMs).unref();
  }

  /** Never rejects. */
  request(method: string, params: Readonly<Record<string, unknown>>): Promise<Outcome> {
    if (this.#stopped.signal.aborted) return Promise.resolve({ kind: 'lost', why: 'the connection is closed' });
    const socket = this.#socket;
    if (socket === undefined) {
      return Promise.resolve({ kind: 'lost', why: 'there is no connection to the media server' });
    }
    const id = this.#nextId;
    this.#nextId += 1;
    const session = this.#sessionId === undefined ? {} : { sessionId: this.#sessionId };
    const text = JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, ...session } });
    return new Promise((settle) => {
      const timer = setTimeout(() => this.#expire(id), this.requestTimeoutMs);
      const isEvidence = params.object === serverManagerId;
      this.#pending.set(id, { method, isEvidence, timer, settle });
      // One that is closing: this request is lost with all others as soon as it has closed.
      if (socket.readyState !== WebSocket.OPEN) return;
      socket.send(text, (error) => {
        if (!error && !isEvidence) this.listener.onText(text, 'asked');
      });
    });
  }

  /** What is under way is `lost`. Idempotent; takes 300 ms at most. */
  readonly close = once(() => this.#close());

  async #close(): Promise<void> {
    this.#stopped.abort();
    clearInterval(this.#ping);
    this.#loseAll('the connection was closed');
    const socket = this.#socket;
    this.#socket = undefined;
    if (socket !== undefined) await hangUp(socket);
  }

  #attach(socket: WebSocket): void {
    listenWithBounds(socket, {
      onText: (text) => this.#receive(text),
      onEnd: (how, excess) => {
        if (excess !== undefined) this.listener.onExcess(excess);
        this.#lose(socket, how);
      },
    });
    socket.resume();
  }

  #receive(text: string): void {
    const frame = readFrame(text);
    if (!this.#isEvidence(frame)) this.listener.onText(text, 'received');
    if (frame.kind === 'unreadable') this.listener.onUnreadable(frame.shown);
    else if (frame.kind === 'excess') this.listener.onExcess(frame.excess);
    else if (frame.kind === 'event') this.listener.onEvent(frame.event);
    else if (frame.id === this.#resumeId()) this.#finishResume?.(frame.error);
    else if (typeof frame.id === 'number') this.#receiveAnswer(frame.id, frame);
  }

  #isEvidence(frame: KurentoFrame): boolean {
    return (
      frame.kind === 'response' && typeof frame.id === 'number' && this.#pending.get(frame.id)?.isEvidence === true
    );
  }

  #receiveAnswer(id: number, { error, result }: Extract<KurentoFrame, { kind: 'response' }>): void {
    const pending = this.#take(id);
    if (pending === undefined) this.#receiveLate(id, result);
    else if (error !== undefined) pending.settle({ kind: 'refused', error });
    else {
      const { sessionId } = (result ?? {}) as { sessionId?: unknown };
      if (typeof sessionId === 'string') this.#sessionId = sessionId;
      pending.settle({ kind: 'answered', result });
    }
  }

  #receiveLate(id: number, result: unknown): void {
    const method = this.#late.get(id);
    this.#late.delete(id);
    if (method !== undefined) this.listener.onLateReply(method, (result as { value?: unknown } | null)?.value);
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    if (pending === undefined) return undefined;
    clearTimeout(pending.timer);
    this.#pending.delete(id);
    return pending;
  }

  #expire(id: number): void {
    const pending = this.#take(id);
    if (pending === undefined) return;
    this.#late.set(id, pending.method);
    if (this.#late.size > lateRepliesMax) this.#late.delete([...this.#late.keys()][0] ?? id);
    pending.settle({ kind: 'timeout', why: `no answer in ${this.requestTimeoutMs / 1000} s` });
  }

  #loseAll(why: string): void {
    for (const id of [...this.#pending.keys()]) this.#take(id)?.settle({ kind: 'lost', why });
  }

  #lose(socket: WebSocket, detail: string): void {
    if (this.#socket !== socket) return;
    this.#socket = undefined;
    this.#loseAll(`the connection was ${detail}`);
    if (this.#stopped.signal.aborted) return;
    this.listener.onLost(detail);
    if (!this.#stopped.signal.aborted) void this.#reopen();
  }

  async #reopen(): Promise<void> {
    const opening = { address: this.address, timeoutMs: reopenTimeoutMs, expected: aKurento };
    for (let attempt = 0; !this.#stopped.signal.aborted; attempt += 1) {
      const delayMs = reconnectDelaysMs[attempt] ?? reconnectDelayMsMax;
      try {
        // Waiting for a server to come back is no reason to keep the program running.
        await pause(delayMs, undefined, { signal: this.#stopped.signal, ref: false });
        const socket = await openSocket(opening, this.#stopped.signal);
        this.#attach(socket);
        const sameSession = await this.#resume(socket);
        this.#socket = socket;
        // It may have closed between its last answer and now, when `#lose` did not know it yet.
        if (socket.readyState === WebSocket.OPEN) this.listener.onReconnected(sameSession);
        else this.#lose(socket, 'closed again at once');
        return;
      } catch {
        // Not there yet: the next attempt follows.
      }
    }
  }

  #resumeId(): string {
    return `loadline-resume-${this.#reopenings}`;
  }

  /** Asks for the old session (transcripts: 40007 INVALID_SESSION when the server has restarted). */
  #resume(socket: WebSocket): Promise<boolean> {
    this.#reopenings += 1;
    const id = this.#resumeId();
    return new Promise<boolean>((resolve, reject) => {
      const give = (act: () => void): void => {
        clearTimeout(timer);
        socket.off('close', refuse);
        this.#stopped.signal.removeEventListener('abort', refuse);
        this.#finishResume = undefined;
        act();
      };
      const refuse = (): void => {
        socket.terminate();
        give(() => reject(new Error('the session was not resumed')));
      };
      const timer = setTimeout(refuse, reopenTimeoutMs);
      socket.once('close', refuse);
      this.#stopped.signal.addEventListener('abort', refuse, { once: true });
      this.#finishResume = (error) => give(() => resolve(error === undefined));
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'connect', params: { sessionId: this.#sessionId } }));
    });
  }
}

/** What a connection to a Kurento tells. */
interface SocketListener {
  /** Of signalling: whatever is said, but for what is asked of the server as a whole. */
  onText(text: string, way: 'asked' | 'received'): void;
  onEvent(event: ObjectEvent): void;
  onLost(detail: string): void;
  /** The server knows the session still: objects live on. Otherwise they are gone. */
  onReconnected(sameSession: boolean): void;
  onUnreadable(shown: string): void;
  /** It sent more than is read of one: a sentence part. Where the connection was ended for it, `onLost` follows. */
  onExcess(bound: string): void;
  /** A reply that came after its time, to a request whose outcome was `timeout`. */
  onLateReply(method: string, value: unknown): void;
}
