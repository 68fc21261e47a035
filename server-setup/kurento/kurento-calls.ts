import { z } from 'zod';
import { unlessAborted } from '../../host/bounded-wait.js';
import { LoadlineError } from '../../model/errors.js';
import { shortText } from '../../model/plain-text.js';
import { openSocket, type SocketAddress, somebodyElse } from '../sockets/open-socket.js';
import type { TrafficCount } from '../sockets/traffic-count.js';
import { type Answer, answerSchema } from './answers.js';
import type { ObjectEvent } from './frame.js';
import { aKurento, type KurentoInfo, serverManagerId } from './kurento-options.js';
import { KurentoSocket, type Outcome } from './kurento-socket.js';

interface CallsOptions {
  readonly address: SocketAddress;
  readonly requestTimeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly traffic: TrafficCount;
  readonly onLost: (detail: string) => void;
  readonly onReconnected: (sameSession: boolean) => void;
  readonly onUnreadable: (shown: string) => void;
  readonly onExcess: (bound: string) => void;
}

/** Of an answer that is not what was asked for, enough to recognise it by. */
const answerCharacters = 300;
const createdSchema = z.string().min(1);
const resultSchema = z.object({ value: z.unknown().optional() });

/**
 * Calls to a Kurento. Each resolves with a checked value or rejects with E_SERVER_REFUSED (Kurento's
 * code, type and message, and the call), E_SERVER_TIMEOUT, E_SERVER_LOST, E_SERVER_PROTOCOL, or the signal's reason.
 */
export class KurentoCalls {
  readonly #listeners = new Map<string, (event: ObjectEvent) => void>();

  private constructor(
    private readonly url: string,
    private readonly socket: KurentoSocket,
  ) {}

  /** Connects and verifies a Kurento. Rejects with E_SERVER_UNREACHABLE or E_SERVER_PROTOCOL in bounded time. */
  static async open(options: CallsOptions, signal: AbortSignal): Promise<{ calls: KurentoCalls; info: KurentoInfo }> {
    const { address, connectTimeoutMs: timeoutMs } = options;
    const { url } = address;
    const endsAtMs = performance.now() + options.connectTimeoutMs;
    const webSocket = await openSocket({ address, timeoutMs, expected: aKurento }, signal);
    const opening = new AbortController();
    const stop = (why: string): void => opening.abort(somebodyElse(url, aKurento, why));
    const timer = setTimeout(
      () => stop(`it said nothing for ${options.connectTimeoutMs / 1000} s after the connection was made`),
      Math.max(500, endsAtMs - performance.now()),
    );
    const isOpening = (): boolean => phase === 'opening';
    let phase: 'opening' | 'open' = 'opening';
    let calls: KurentoCalls | undefined;
    const socket = new KurentoSocket(address, webSocket, options.requestTimeoutMs, {
      onText: (text, way) => options.traffic[way](text),
      onEvent: (event) => calls?.deliver(event),
      onLost: (detail) => (isOpening() ? stop(`the connection was ${detail}`) : options.onLost(detail)),
      onReconnected: options.onReconnected,
      onUnreadable: (shown) =>
        isOpening() ? stop(`it sent something that is no answer: ${shown}`) : options.onUnreadable(shown),
      onExcess: (bound) => (isOpening() ? stop(`it sent ${bound}`) : options.onExcess(bound)),
      onLateReply: (method, value) => calls?.discard(method, value),
    });
    calls = new KurentoCalls(url, socket);
    try {
      const info = await unlessAborted(AbortSignal.any([signal, opening.signal]), calls.#greet());
      phase = 'open';
      return { calls, info };
    } catch (error) {
      await calls.close();
      if (opening.signal.aborted) throw opening.signal.reason;
      throw error instanceof LoadlineError && error.code !== 'E_SERVER_PROTOCOL'
        ? somebodyElse(url, aKurento, error.why ?? error.message, error)
        : error;
    } finally {
      clearTimeout(timer);
    }
  }

  async #greet(): Promise<KurentoInfo> {
    // Of all that is called, this alone needs no session: the answer names the one that is made for it.
    await this.#request('describe', { object: serverManagerId }, 'describe ServerManager');
    return this.invoke(serverManagerId, 'getInfo', {});
  }

  /** Creates an object and returns its id. */
  create(type: string, constructorParams: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<string> {
    const given = Object.keys(constructorParams).length === 0 ? {} : { constructorParams: { ...constructorParams } };
    const params = { type, ...given, properties: {} };
    return inTime(this.#request('create', params, `create ${type}`, createdSchema), signal);
  }

  invoke<Operation extends string>(
    object: string,
    operation: Operation,
    operationParams: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
  ): Promise<Answer<Operation>> {
    const given = Object.keys(operationParams).length === 0 ? {} : { operationParams: { ...operationParams } };
    const call = `${operation} of ${typeOf(object)}`;
    return inTime(this.#request('invoke', { object, operation, ...given }, call, answerSchema(operation)), signal);
  }

  async subscribe(object: string, type: string, signal?: AbortSignal): Promise<void> {
    await inTime(this.#request('subscribe', { object, type }, `subscribe to ${type} of ${typeOf(object)}`), signal);
  }

  /** Kurento answers the release of an unknown object like that of a known one. */
  async release(object: string): Promise<void> {
    this.#listeners.delete(object);
    await this.#request('release', { object }, `release ${typeOf(object)}`);
  }

  /** Gives up this session's hold of an object that another session owns; every call to an object takes one. */
  async unref(object: string): Promise<void> {
    await this.#request('unref', { object }, `unref ${typeOf(object)}`);
  }

  /** Events of an object go to `listener`, from its first `subscribe` to its release. */
  listen(object: string, listener: (event: ObjectEvent) => void): void {
    this.#listeners.set(object, listener);
  }

  forget(object: string): void {
    this.#listeners.delete(object);
  }

  deliver(event: ObjectEvent): void {
    this.#listeners.get(event.object)?.(event);
  }

  /** Releases what a request has created after its caller gave up: nobody else would. */
  discard(method: string, value: unknown): void {
    if (method === 'create' && typeof value === 'string') this.release(value).catch(() => undefined);
  }

  /** Open calls reject with E_SERVER_LOST. Idempotent, never rejects, leaves no timer; 0.5 s at most. */
  close(): Promise<void> {
    return this.socket.close();
  }

  /** Without a schema only its success matters. */
  async #request<T = unknown>(
    method: string,
    params: Readonly<Record<string, unknown>>,
    call: string,
    result?: z.ZodType<T>,
  ): Promise<T> {
    const outcome = await this.socket.request(method, params);
    if (outcome.kind !== 'answered') throw failure(outcome, call, this.url);
    const read = resultSchema.safeParse(outcome.result);
    const checked = read.success ? (result ?? z.any()).safeParse(read.data.value) : undefined;
    if (checked?.success) return checked.data;
    const shown = shortText(JSON.stringify(outcome.result), answerCharacters);
    throw somebodyElse(this.url, aKurento, `the answer to "${call}" has another form: ${shown}`);
  }
}

const inTime = <T>(reply: Promise<T>, signal: AbortSignal | undefined): Promise<T> =>
  signal === undefined ? reply : unlessAborted(signal, reply);

function failure(outcome: Exclude<Outcome, { kind: 'answered' }>, call: string, url: string): LoadlineError {
  if (outcome.kind === 'lost') return lost(url, call, outcome.why);
  if (outcome.kind === 'timeout') {
    const what = `The media server did not answer "${call}" in time.`;
    return new LoadlineError('E_SERVER_TIMEOUT', what, { where: url, why: outcome.why });
  }
  const { code, message, type } = outcome.error;
  const number = `(${code}${type === undefined ? '' : ` ${type}`})`;
  return new LoadlineError('E_SERVER_REFUSED', `The media server refused "${call}": ${message} ${number}`, {
    where: call,
  });
}

/** `…/UUID_kurento.WebRtcEndpoint` is a WebRtcEndpoint, `manager_ServerManager` a ServerManager. */
export function typeOf(object: string): string {
  return object.slice(Math.max(object.lastIndexOf('_'), object.lastIndexOf('.')) + 1);
}

function lost(url: string, call: string, why: string): LoadlineError {
  return new LoadlineError('E_SERVER_LOST', `The media server went away during "${call}".`, {
    where: url,
    why,
    todo: 'look into the log of the media server: it has ended, or the network between is gone',
  });
}
