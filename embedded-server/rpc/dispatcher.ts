import { randomUUID } from 'node:crypto';
import { createObject, factories } from '../objects/kinds.js';
import type { MediaObject, ServerContext } from '../objects/media-object.js';
import { ObjectStore } from '../objects/object-store.js';
import { ServerManager } from '../objects/server-manager.js';
import { errorFrame, eventFrame, FrameError, type Request, readRequest, resultFrame } from './frame.js';
import { connectSession, type MethodRoom, methodOf } from './methods.js';
import { optionalStringOf, type Parameters } from './parameters.js';
import { notEnoughResources, RpcError } from './rpc-error.js';
import { type Connection, type Session, Sessions } from './sessions.js';

/** Sessions without a connection lose their objects after one to two of these, as on a Kurento. */
export const collectMs = 240_000;
/**
 * An object is a few kB, a WebRtcEndpoint a socket: far above what one process can serve, and below what would
 * exhaust its memory.
 */
const objectsMost = 50_000;
/** Time for what a released pipeline still holds open to close. */
const tidyAfterMs = 100;

/** What the parts of the server outside JSON-RPC give to its objects. */
type ServerParts = Pick<
  ServerContext,
  | 'host'
  | 'clock'
  | 'egress'
  | 'maxVideoKbps'
  | 'followEstimates'
  | 'imitation'
  | 'misled'
  | 'coldStart'
  | 'answerRate'
  | 'canMix'
  | 'version'
  | 'recordIn'
  | 'onReceived'
>;

/** Answers requests: finds the session, runs the method, keeps objects, and carries events to their subscribers. */
export class Dispatcher implements MethodRoom {
  readonly sessions = new Sessions();
  readonly objects: ObjectStore;
  readonly context: ServerContext;
  readonly #serverId = randomUUID();
  readonly #manager: ServerManager;
  /** The session a connection spoke in last; a request that names none means this one. */
  readonly #current = new WeakMap<Connection, string>();
  #tidying: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: ServerParts) {
    this.objects = new ObjectStore((object) => this.#destroyed(object));
    this.context = {
      ...parts,
      emit: (object, type, data) => this.#publish(object.id, type, data),
      find: (id) => this.objects.find(id),
      remove: (object) => void this.objects.release(object.id),
      pipelines: () => this.objects.ofType('MediaPipeline').map((pipeline) => pipeline.id),
      sessions: () => this.sessions.ids(),
    };
    this.#manager = new ServerManager(this.context, factories(parts.canMix));
    this.objects.add(this.#manager);
  }

  /** Answers one parsed frame; never rejects. `undefined` when the client is to be left without an answer. */
  async answer(frame: unknown, connection: Connection): Promise<string> {
    let request: Request;
    try {
      request = readRequest(frame);
    } catch (error) {
      if (error instanceof FrameError) return error.reply;
      return errorFrame(null, new RpcError(-32603, String(error)));
    }
    const cached = this.#cached(request);
    if (cached !== undefined) return cached;
    const reply = this.#run(request, connection).catch((error: unknown) => errorFrame(request.id, toRpcError(error)));
    this.#remember(request, reply);
    return reply;
  }

  #cached(request: Request): Promise<string> | undefined {
    const sessionId = optionalStringOf(request.parameters, 'sessionId');
    return sessionId === undefined ? undefined : this.sessions.get(sessionId)?.replies.get(cacheKey(request));
  }

  #remember(request: Request, reply: Promise<string>): void {
    const sessionId = optionalStringOf(request.parameters, 'sessionId');
    const session = sessionId === undefined ? undefined : this.sessions.get(sessionId);
    if (session !== undefined) this.sessions.remember(session, cacheKey(request), reply);
  }

  async #run(request: Request, connection: Connection): Promise<string> {
    const { id, method, parameters } = request;
    const current = this.sessions.get(this.#current.get(connection) ?? '');
    if (method === 'ping') {
      return resultFrame(id, { ...(current === undefined ? {} : { sessionId: current.id }), value: 'pong' });
    }
    if (method === 'connect') {
      const session = this.#enter(connectSession(this, parameters, current), connection);
      return resultFrame(id, { serverId: this.#serverId, sessionId: session.id });
    }
    if (method === 'closeSession') {
      await this.closeSession(optionalStringOf(parameters, 'sessionId') ?? current?.id ?? '');
      return resultFrame(id, null);
    }
    const run = methodOf(method);
    const session = this.#enter(optionalStringOf(parameters, 'sessionId') ?? current?.id, connection);
    return resultFrame(id, { sessionId: session.id, ...(await run(this, session, parameters)) });
  }

  #enter(sessionId: string | undefined, connection: Connection): Session {
    const session = this.sessions.adopt(sessionId, connection, this.context.clock.nowMs());
    this.#current.set(connection, session.id);
    return session;
  }

  create(type: string, parameters: Parameters): MediaObject {
    if (this.objects.size >= objectsMost) throw notEnoughResources('Too many objects');
    const object = createObject(this.context, type, parameters);
    this.objects.add(object);
    const manager = this.#manager.id;
    this.#publish(manager, 'ObjectCreated', { object: object.id, ...this.#managerEvent() });
    return object;
  }

  touch(session: Session, object: MediaObject): void {
    session.registered = true;
    if (object.id !== this.#manager.id) this.sessions.hold(session, object.id);
  }

  async letGo(session: Session, objectId: string): Promise<void> {
    if (objectId !== this.#manager.id && this.sessions.letGo(session, objectId)) await this.objects.release(objectId);
  }

  async closeSession(sessionId: string): Promise<void> {
    const session = this.sessions.get(sessionId);
    if (session === undefined) return;
    for (const objectId of [...session.objects]) await this.letGo(session, objectId);
    this.sessions.close(sessionId);
  }

  /** Ends the sessions whose clients have been away for a whole period. */
  async collect(): Promise<void> {
    const nowMs = this.context.clock.nowMs();
    for (const session of this.sessions.all()) {
      if (session.connection !== undefined) session.lastUsedAtMs = nowMs;
      else if (nowMs - session.lastUsedAtMs >= collectMs) await this.closeSession(session.id);
    }
  }

  disconnected(connection: Connection): void {
    this.sessions.detach(connection);
  }

  #destroyed(object: MediaObject): void {
    this.sessions.forgetObject(object.id);
    this.#publish(this.#manager.id, 'ObjectDestroyed', { objectId: object.id, ...this.#managerEvent() });
    if (object.type === 'MediaPipeline') this.#tidySoon();
  }

  /**
   * With no pipeline left nothing can be disturbed by collecting garbage, and memory noted between trials then shows
   * leaks alone.
   */
  #tidySoon(): void {
    if (this.#tidying !== undefined) return;
    this.#tidying = setTimeout(() => {
      this.#tidying = undefined;
      if (this.objects.ofType('MediaPipeline').length === 0) globalThis.gc?.();
    }, tidyAfterMs).unref();
  }

  #managerEvent(): Parameters {
    const timestampMillis = String(Math.floor(this.context.clock.nowMs()));
    return { source: this.#manager.id, tags: [], timestampMillis };
  }

  #publish(objectId: string, type: string, data: Parameters): void {
    this.sessions.publish(objectId, type, () => eventFrame(objectId, type, data));
  }

  async close(): Promise<void> {
    await this.objects.releaseAll();
  }
}

function cacheKey(request: Request): string {
  return `${typeof request.id} ${request.id}`;
}

function toRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new RpcError(-32603, `Unexpected error while processing method: ${message}`);
}
