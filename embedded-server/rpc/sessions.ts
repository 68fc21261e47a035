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

interface Subscription {
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
  /** What it holds; changed by `hold` and `letGo` alone. */
  readonly objects: Set<string>;
  readonly subscriptions: Set<Subscription>;
  readonly replies: Map<string, Promise<string>>;
  lastUsedAtMs: number;
}

/** The sessions of all clients. Any id a client names is adopted; a connection may carry several. */
export class Sessions {
  readonly #sessions = new Map<string, Session>();
  readonly #subscriptions = new Map<string, Subscription>();
  /** An event or an object's end costs only what its own subscribers and holders cost. */
  readonly #subscribers = new Map<string, Set<Subscription>>();
  readonly #holders = new Map<string, Set<Session>>();

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
      subscriptions: new Set(),
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

  /** The session now holds the object. */
  hold(session: Session, objectId: string): void {
    session.objects.add(objectId);
    addTo(this.#holders, objectId, session);
  }

  /** Returns whether the session was the last that held it. */
  letGo(session: Session, objectId: string): boolean {
    if (!session.objects.delete(objectId)) return false;
    removeFrom(this.#holders, objectId, session);
    return !this.#holders.has(objectId);
  }

  close(id: string): void {
    const session = this.#sessions.get(id);
    if (session === undefined) return;
    this.#sessions.delete(id);
    for (const objectId of [...session.objects]) this.letGo(session, objectId);
    for (const subscription of [...session.subscriptions]) this.unsubscribe(subscription.id);
  }

  /** The connection is gone; its sessions stay, for a client that comes back. */
  detach(connection: Connection): void {
    for (const session of this.#sessions.values()) {
      if (session.connection === connection) session.connection = undefined;
    }
  }

  subscribe(sessionId: string, objectId: string, type: string): string {
    const subscription: Subscription = { id: randomUUID(), sessionId, objectId, type };
    this.#subscriptions.set(subscription.id, subscription);
    addTo(this.#subscribers, objectId, subscription);
    this.#sessions.get(sessionId)?.subscriptions.add(subscription);
    return subscription.id;
  }

  unsubscribe(id: string): void {
    const subscription = this.#subscriptions.get(id);
    if (subscription === undefined) return;
    this.#subscriptions.delete(id);
    removeFrom(this.#subscribers, subscription.objectId, subscription);
    this.#sessions.get(subscription.sessionId)?.subscriptions.delete(subscription);
  }

  forgetObject(objectId: string): void {
    for (const subscription of [...(this.#subscribers.get(objectId) ?? [])]) this.unsubscribe(subscription.id);
    for (const session of this.#holders.get(objectId) ?? []) session.objects.delete(objectId);
    this.#holders.delete(objectId);
  }

  /** Sends an event to every session that subscribed to it, once per subscription. */
  publish(objectId: string, type: string, frame: () => string): void {
    let written: string | undefined;
    for (const subscription of this.#subscribers.get(objectId) ?? []) {
      if (subscription.type !== type) continue;
      written ??= frame();
      this.#sessions.get(subscription.sessionId)?.connection?.send(written);
    }
  }
}

function addTo<T>(sets: Map<string, Set<T>>, key: string, value: T): void {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([value]));
  else set.add(value);
}

function removeFrom<T>(sets: Map<string, Set<T>>, key: string, value: T): void {
  const set = sets.get(key);
  if (set?.delete(value) && set.size === 0) sets.delete(key);
}
