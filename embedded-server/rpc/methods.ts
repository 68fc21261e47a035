import { randomUUID } from 'node:crypto';
import type { MediaObject } from '../objects/media-object.js';
import type { ObjectStore } from '../objects/object-store.js';
import { errorObject, FrameError, type Request, readRequest } from './frame.js';
import { isRecord, optionalStringOf, type Parameters, requiredOf } from './parameters.js';
import { eventNotSupported, invalidSession, methodNotFound, missingParameter, RpcError } from './rpc-error.js';
import type { Session, Sessions } from './sessions.js';

/** What methods work on. */
export interface MethodRoom {
  readonly sessions: Sessions;
  readonly objects: ObjectStore;
  create(type: string, parameters: Parameters): MediaObject;
  /** The session now holds the object, which lives as long as any session does. */
  touch(session: Session, object: MediaObject): void;
  letGo(session: Session, objectId: string): Promise<void>;
}

/** A method of a session: `sessionId` is added to what it returns. */
type SessionMethod = (room: MethodRoom, session: Session, parameters: Parameters) => Promise<Parameters>;

const sessionMethods: Readonly<Record<string, SessionMethod>> = {
  create: async (room, session, parameters) => {
    const type = requiredOf(parameters, 'type');
    const given = parameters.constructorParams;
    const object = room.create(type, isRecord(given) ? given : {});
    room.touch(session, object);
    return { value: object.id };
  },
  invoke: async (room, session, parameters) => {
    const operation = requiredOf(parameters, 'operation');
    const object = room.objects.find(requiredOf(parameters, 'object'));
    room.touch(session, object);
    const given = parameters.operationParams;
    return { value: await object.invoke(operation, isRecord(given) ? given : {}) };
  },
  subscribe: async (room, session, parameters) => {
    const type = requiredOf(parameters, 'type');
    const object = room.objects.find(requiredOf(parameters, 'object'));
    if (!object.events.includes(type)) throw eventNotSupported(type);
    room.touch(session, object);
    return { value: room.sessions.subscribe(session.id, object.id, type) };
  },
  unsubscribe: async (room, _session, parameters) => {
    room.sessions.unsubscribe(requiredOf(parameters, 'subscription'));
    return {};
  },
  release: async (room, _session, parameters) => {
    await room.objects.release(requiredOf(parameters, 'object'));
    return {};
  },
  ref: async (room, session, parameters) => {
    room.touch(session, room.objects.find(requiredOf(parameters, 'object')));
    return {};
  },
  unref: async (room, session, parameters) => {
    await room.letGo(session, requiredOf(parameters, 'object'));
    return {};
  },
  keepAlive: async () => ({}),
  describe: async (room, session, parameters) => {
    const object = room.objects.find(requiredOf(parameters, 'object'));
    room.touch(session, object);
    return { hierarchy: object.hierarchy, qualifiedType: `kurento.${object.type}`, type: object.type };
  },
  transaction: async (room, session, parameters) => {
    const operations = parameters.operations;
    if (!Array.isArray(operations)) throw missingParameter('operations');
    return { value: await transact(room, session, operations) };
  },
};

/** Throws where there is none of this name. What every object inherits is no method. */
export function methodOf(name: string): SessionMethod {
  const method = Object.hasOwn(sessionMethods, name) ? sessionMethods[name] : undefined;
  if (method === undefined) throw methodNotFound();
  return method;
}

/** Runs operations in order; `newref:N` stands for what the operation with id N created. */
async function transact(room: MethodRoom, session: Session, operations: readonly unknown[]): Promise<unknown[]> {
  const created = new Map<string, unknown>();
  const replies: unknown[] = [];
  for (const frame of operations) {
    const request = readRequest(frame);
    try {
      const value = await runOperation(room, session, request, created);
      created.set(`newref:${request.id}`, value.value);
      replies.push({ id: request.id, jsonrpc: '2.0', result: { sessionId: session.id, ...value } });
    } catch (error) {
      if (!(error instanceof RpcError) && !(error instanceof FrameError)) throw error;
      const told = error instanceof RpcError ? error : new RpcError(-32600, error.message);
      replies.push(errorObject(request.id, told));
    }
  }
  return replies;
}

async function runOperation(
  room: MethodRoom,
  session: Session,
  request: Request,
  created: ReadonlyMap<string, unknown>,
): Promise<Parameters> {
  if (request.method === 'transaction') throw methodNotFound();
  return methodOf(request.method)(room, session, resolveReferences(request.parameters, created));
}

function resolveReferences(parameters: Parameters, created: ReadonlyMap<string, unknown>): Parameters {
  const resolve = (value: unknown): unknown => {
    if (typeof value === 'string') return created.get(value) ?? value;
    if (isRecord(value)) return resolveReferences(value, created);
    return value;
  };
  return Object.fromEntries(Object.entries(parameters).map(([key, value]) => [key, resolve(value)]));
}

/** `connect` answers a client that comes back, or makes a session for one that names none and has none. */
export function connectSession(room: MethodRoom, parameters: Parameters, current: Session | undefined): string {
  const asked = optionalStringOf(parameters, 'sessionId') ?? current?.id;
  if (asked === undefined) return randomUUID();
  if (room.sessions.get(asked)?.registered !== true) throw invalidSession();
  return asked;
}
