import { randomUUID } from 'node:crypto';
import { notEnoughResources } from './rpc-error.js';

/** Replies remembered per session, so that a request sent twice is answered once (Kurento's request cache). */
const cachedReplies = 512;

/** A client may name as many as it likes, and needs one; what is beyond this is no client. */
const sessionsMost = 10_000;

/** A client's connection, as far as sessions care. */
export interface Connection {
  send(frame: string): void;
}

export interface Subscription {
  readonly id: string;
  readonly sessionId: string;
  readonly objectId: string;
  readonly type: string;
}

export interface Session {
  readonly id: string;
  connection: Connection | undefined;
  /** A session is known to `connect` only once it has touched an object. */
  registered: boolean;
  readonly objects: Set<string>;
  readonly replies: Map<string, Promise<string>>;
  lastUsedAtMs: number;
}

/** The sessions of all clients. Any id a client names is adopted; a connection may carry several. */
export class Sessions {
  readonly #sessions = new Map<string, Session>();
  readonly #subscriptions = new Map<string, Subscription>();

  get(id: string): Session | undefined {
    return this.#sessions.get(id);
  }

  /** The session of that id, created when unknown; from now on its events go to `connection`. */
  adopt(id: string | undefined, connection: Connection, nowMs: number): Session {
    const known = id === undefined ? undefined : this.#sessions.get(id);
    const session = known ?? this.#create(id ?? randomUUID(), nowMs);
    session.connection = connection;
    session.lastUsedAtMs = nowMs;
    return session;
  }

  #create(id: string, nowMs: number): Session {
    if (this.#sessions.size >= sessionsMost) throw notEnoughResources('Too many sessions');
    const session: Session = {
      id,
      connection: undefined,
      registered: false,
      objects: new Set(),
      replies: new Map(),
      lastUsedAtMs: nowMs,
    };
    this.#sessions.set(id, session);
    return session;
  }

  ids(): string[] {
    return [...this.#sessions.values()].filter((session) => session.registered).map((session) => session.id);
  }

  all(): readonly Session[] {
    return [...this.#sessions.values()];
  }

  remember(session: Session, requestId: string, reply: Promise<string>): void {
    session.replies.set(requestId, reply);
    if (session.replies.size <= cachedReplies) return;
    const oldest = session.replies.keys().next();
    if (!oldest.done) session.replies.delete(oldest.value);
  }

  close(id: string): void {
    this.#sessions.delete(id);
    for (const subscription of [...this.#subscriptions.values()]) {
      if (subscription.sessionId === id) this.#subscriptions.delete(subscription.id);
    }
  }

  /** The connection is gone; its sessions stay, for a client that comes back. */
  detach(connection: Connection): void {
    for (const session of this.#sessions.values()) {
      if (session.connection === connection) session.connection = undefined;
    }
  }

  subscribe(sessionId: string, objectId: string, type: string): string {
    const id = randomUUID();
    this.#subscriptions.set(id, { id, sessionId, objectId, type });
    return id;
  }

  unsubscribe(id: string): void {
    this.#subscriptions.delete(id);
  }

  forgetObject(objectId: string): void {
    for (const subscription of [...this.#subscriptions.values()]) {
      if (subscription.objectId === objectId) this.#subscriptions.delete(subscription.id);
    }
    for (const session of this.#sessions.values()) session.objects.delete(objectId);
  }

  /** Sends an event to every session that subscribed to it, once per subscription. */
  publish(objectId: string, type: string, frame: () => string): void {
    let written: string | undefined;
    for (const subscription of this.#subscriptions.values()) {
      if (subscription.objectId !== objectId || subscription.type !== type) continue;
      written ??= frame();
      this.#sessions.get(subscription.sessionId)?.connection?.send(written);
    }
  }
}
