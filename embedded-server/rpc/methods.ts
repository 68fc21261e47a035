import { randomUUID } from 'node:crypto';
import type { Dispatcher } from './dispatcher.js';
import { errorObject, FrameError, type Request, readRequest } from './frame.js';
import { isRecord, optionalStringOf, type Parameters, requiredOf } from './parameters.js';
import { eventNotSupported, invalidSession, methodNotFound, missingParameter, RpcError } from './rpc-error.js';
import type { Session } from './sessions.js';

/** A method of a session: `sessionId` is added to what it returns. */
export type SessionMethod = (dispatcher: Dispatcher, session: Session, parameters: Parameters) => Promise<Parameters>;

export const sessionMethods: Readonly<Record<string, SessionMethod>> = {
  create: async (dispatcher, session, parameters) => {
    const type = requiredOf(parameters, 'type');
    const given = parameters.constructorParams;
    const object = dispatcher.create(type, isRecord(given) ? given : {});
    dispatcher.touch(session, object);
    return { value: object.id };
  },
  invoke: async (dispatcher, session, parameters) => {
    const operation = requiredOf(parameters, 'operation');
    const object = dispatcher.objects.find(requiredOf(parameters, 'object'));
    dispatcher.touch(session, object);
    const given = parameters.operationParams;
    return { value: await object.invoke(operation, isRecord(given) ? given : {}) };
  },
  subscribe: async (dispatcher, session, parameters) => {
    const type = requiredOf(parameters, 'type');
    const object = dispatcher.objects.find(requiredOf(parameters, 'object'));
    if (!object.events.includes(type)) throw eventNotSupported(type);
    dispatcher.touch(session, object);
    return { value: dispatcher.sessions.subscribe(session.id, object.id, type) };
  },
  unsubscribe: async (dispatcher, _session, parameters) => {
    dispatcher.sessions.unsubscribe(requiredOf(parameters, 'subscription'));
    return {};
  },
  release: async (dispatcher, _session, parameters) => {
    await dispatcher.objects.release(requiredOf(parameters, 'object'));
    return {};
  },
  ref: async (dispatcher, session, parameters) => {
    dispatcher.touch(session, dispatcher.objects.find(requiredOf(parameters, 'object')));
    return {};
  },
  unref: async (dispatcher, session, parameters) => {
    await dispatcher.letGo(session, requiredOf(parameters, 'object'));
    return {};
  },
  keepAlive: async () => ({}),
  describe: async (dispatcher, session, parameters) => {
    const object = dispatcher.objects.find(requiredOf(parameters, 'object'));
    dispatcher.touch(session, object);
    return { hierarchy: object.hierarchy, qualifiedType: `kurento.${object.type}`, type: object.type };
  },
  transaction: async (dispatcher, session, parameters) => {
    const operations = parameters.operations;
    if (!Array.isArray(operations)) throw missingParameter('operations');
    return { value: await transact(dispatcher, session, operations) };
  },
};

/** Runs operations in order; `newref:N` stands for what the operation with id N created. */
async function transact(dispatcher: Dispatcher, session: Session, operations: readonly unknown[]): Promise<unknown[]> {
  const created = new Map<string, unknown>();
  const replies: unknown[] = [];
  for (const frame of operations) {
    const request = readRequest(frame);
    try {
      const value = await runOperation(dispatcher, session, request, created);
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
  dispatcher: Dispatcher,
  session: Session,
  request: Request,
  created: ReadonlyMap<string, unknown>,
): Promise<Parameters> {
  const method = sessionMethods[request.method];
  if (method === undefined || request.method === 'transaction') throw methodNotFound();
  return method(dispatcher, session, resolveReferences(request.parameters, created));
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
export function connectSession(dispatcher: Dispatcher, parameters: Parameters, current: Session | undefined): string {
  const asked = optionalStringOf(parameters, 'sessionId') ?? current?.id;
  if (asked === undefined) return randomUUID();
  if (dispatcher.sessions.get(asked)?.registered !== true) throw invalidSession();
  return asked;
}
