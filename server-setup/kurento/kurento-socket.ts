import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { type Door, hangUp, openSocket } from '../sockets/open-socket.js';
import { hearken } from '../sockets/socket-bounds.js';
import { type Frame, type FrameError, readFrame } from './frame.js';
import { aKurento, serverManagerId } from './kurento-options.js';
import type { SocketListener } from './socket-listener.js';

/** Codes of the answers that this file gives in the server's place; no Kurento uses them. */
export const lostCode = -31_901;
export const timeoutCode = -31_902;

interface Pending {
  readonly method: string;
  /** What is asked of the server as a whole, as its load, is no signalling of participants. */
  readonly isEvidence: boolean;
  readonly timer: NodeJS.Timeout;
}

interface Request {
  readonly id: number | string;
  readonly method: string;
  readonly params?: { readonly object?: string };
}

const reconnectDelaysMs: readonly number[] = [100, 200, 400, 800, 1600];
const reconnectDelayMsMax = 2000;
const reopenTimeoutMs = 4000;
const lateRepliesMax = 256;

/**
 * The WebSocket that kurento-client is given: the browser's interface on top, a `ws` connection below.
 *
 * It stands between the two because the client, left alone with the network, loses calls and says so nowhere: it prints to
 * stdout, ends the process on a failed connection attempt or subscription, waits 20 s for answers that cannot come any more,
 * keeps timers after `close`, and joins requests into one frame while an earlier one is being written. Here every request is
 * answered exactly once and in bounded time (by the server, or with `lostCode` or `timeoutCode`), only well-formed answers to
 * open requests reach the client, each request is a frame of its own, and a lost connection is re-opened without the client
 * noticing. So none of those paths is ever taken.
 */
export class KurentoSocket {
  // The browser's WebSocket interface, as far as websocket-stream uses it.
  readonly CONNECTING = 0;
  readonly OPEN = 1;
  readonly CLOSED = 3;
  readyState = 0;
  binaryType = 'arraybuffer';
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  onerror: ((error: unknown) => void) | null = null;

  readonly #door: Door;
  readonly #requestTimeoutMs: number;
  readonly #listener: SocketListener;
  readonly #pending = new Map<number | string, Pending>();
  readonly #late = new Map<number | string, string>();
  readonly #stopped = new AbortController();
  #socket: WebSocket | undefined;
  #sessionId: string | undefined;
  #reopenings = 0;
  #finishResume: ((error: FrameError | undefined) => void) | undefined;
  #closed: Promise<void> | undefined;

  constructor(door: Door, opened: WebSocket, requestTimeoutMs: number, listener: SocketListener) {
    this.#door = door;
    this.#requestTimeoutMs = requestTimeoutMs;
    this.#listener = listener;
    this.#attach(opened);
    this.#socket = opened;
    setImmediate(() => {
      if (this.readyState !== this.CONNECTING) return;
      this.readyState = this.OPEN;
      this.onopen?.();
    });
  }

  /** websocket-stream sets the `on…` properties when this exists. */
  addEventListener(): void {}

  send(text: string, done?: () => void): void {
    // At once: a writer that waits would join the requests that come meanwhile into one frame.
    done?.();
    const request = JSON.parse(text) as Request;
    const timer = setTimeout(() => this.#expire(request.id), this.#requestTimeoutMs);
    const { id, method, params } = request;
    const isEvidence = params?.object === serverManagerId;
    this.#pending.set(id, { method, isEvidence, timer });
    if (this.#socket?.readyState === WebSocket.OPEN)
      this.#socket.send(text, (error) => {
        if (!error && !isEvidence) this.#listener.onText(text, 'asked');
      });
    // It is closing: this request is answered with all others as soon as it has closed.
    else if (this.#socket === undefined)
      queueMicrotask(() => this.#answer(id, lostCode, 'there is no connection to the media server'));
  }

  /** Idempotent; called by kurento-client, too. Open requests are answered with `lostCode`. Takes 300 ms at most. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.readyState = this.CLOSED;
    this.#stopped.abort();
    this.#answerAll('the connection was closed');
    const socket = this.#socket;
    this.#socket = undefined;
    if (socket !== undefined) await hangUp(socket);
    this.onclose?.();
  }

  /** Answers every open request with `lostCode`, so that nothing waits when the client is closed. */
  abandon(): void {
    this.#stopped.abort();
    this.#answerAll('the connection is being closed');
  }

  #attach(socket: WebSocket): void {
    hearken(socket, {
      onText: (text) => this.#receive(text),
      onEnd: (how, excess) => {
        if (excess !== undefined) this.#listener.onExcess(excess);
        this.#lose(socket, how);
      },
    });
    socket.resume();
  }

  #receive(text: string): void {
    const frame = readFrame(text);
    const isEvidence = frame.kind === 'response' && this.#pending.get(frame.id)?.isEvidence === true;
    if (!isEvidence) this.#listener.onText(text, 'received');
    if (frame.kind === 'unreadable') this.#listener.onUnreadable(frame.shown);
    else if (frame.kind === 'excess') this.#listener.onExcess(frame.excess);
    else if (frame.kind === 'event') this.#listener.onEvent(frame.event);
    else if (frame.id === this.#resumeId()) this.#finishResume?.(frame.error);
    else this.#receiveAnswer(text, frame);
  }

  #receiveAnswer(text: string, frame: Extract<Frame, { kind: 'response' }>): void {
    if (frame.error !== undefined && this.#pending.get(frame.id)?.method === 'ping') {
      this.#answer(frame.id, frame.error.code, frame.error.message);
    } else if (this.#take(frame.id) === undefined) {
      this.#receiveLate(frame.id, frame.result);
    } else {
      const result = frame.result as { sessionId?: unknown } | null | undefined;
      if (typeof result?.sessionId === 'string') this.#sessionId = result.sessionId;
      this.onmessage?.({ data: text });
    }
  }

  #receiveLate(id: number | string, result: unknown): void {
    const method = this.#late.get(id);
    this.#late.delete(id);
    if (method !== undefined) this.#listener.onLateReply(method, (result as { value?: unknown } | null)?.value);
  }

  #take(id: number | string): Pending | undefined {
    const pending = this.#pending.get(id);
    if (pending === undefined) return undefined;
    clearTimeout(pending.timer);
    this.#pending.delete(id);
    return pending;
  }

  #expire(id: number | string): void {
    const method = this.#pending.get(id)?.method;
    if (method !== undefined) this.#late.set(id, method);
    if (this.#late.size > lateRepliesMax) this.#late.delete([...this.#late.keys()][0] ?? id);
    this.#answer(id, timeoutCode, `no answer in ${this.#requestTimeoutMs / 1000} s`);
  }

  #answer(id: number | string, code: number, message: string): void {
    const pending = this.#take(id);
    if (pending === undefined) return;
    // The client prints when a ping fails; the loss is told by `onLost` and by the other calls.
    const outcome = pending.method === 'ping' ? { result: { value: 'pong' } } : { error: { code, message } };
    this.onmessage?.({ data: JSON.stringify({ jsonrpc: '2.0', id, ...outcome }) });
  }

  #answerAll(message: string): void {
    for (const id of [...this.#pending.keys()]) this.#answer(id, lostCode, message);
  }

  #lose(socket: WebSocket, detail: string): void {
    if (this.#socket !== socket) return;
    this.#socket = undefined;
    this.#answerAll(`the connection was ${detail}`);
    if (this.#stopped.signal.aborted) return;
    this.#listener.onLost(detail);
    if (!this.#stopped.signal.aborted) void this.#reopen();
  }

  async #reopen(): Promise<void> {
    const opening = { door: this.#door, timeoutMs: reopenTimeoutMs, expected: aKurento };
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
        if (socket.readyState === WebSocket.OPEN) this.#listener.onReconnected(sameSession);
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
