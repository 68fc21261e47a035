import { isNestedDeeperThan } from '../../model/json-text.js';
import { isRecord, type Parameters } from './parameters.js';
import { invalidRequest, paramsNotObject, RpcError } from './rpc-error.js';

/** JSON-RPC 2.0 frames as Kurento reads and writes them. */
export interface Request {
  readonly id: string | number;
  readonly method: string;
  readonly parameters: Parameters;
}

/** A frame that is no request; `id` is what the error reply carries. */
export class FrameError extends Error {
  readonly reply: string;

  constructor(id: string | number | null, error: RpcError) {
    super(error.message);
    this.reply = errorFrame(id, error);
  }
}

/** Requests nest six deep; what is nested by thousands overflows the stack of what walks it. */
const deepest = 64;

/**
 * Parses the JSON of one WebSocket message; `undefined` when it is none. A message may hold several texts one behind
 * the other: kurento-client's stream joins requests that are written while an earlier one is on its way.
 */
export function readFrames(text: string): readonly unknown[] | undefined {
  if (isNestedDeeperThan(text, deepest)) return undefined;
  try {
    return [JSON.parse(text)];
  } catch {
    const parts = splitObjects(text);
    if (parts.length < 2) return undefined;
    try {
      return parts.map((part): unknown => JSON.parse(part));
    } catch {
      return undefined;
    }
  }
}

/** Cuts behind each brace that closes a top-level object. Each character is looked at once, whatever the text is. */
function splitObjects(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (inString && character === '\\') at += 1;
    else if (character === '"') inString = !inString;
    else if (inString) continue;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth !== 0) continue;
      parts.push(text.slice(start, at + 1));
      start = at + 1;
    }
  }
  return text.slice(start).trim() === '' ? parts : [];
}

/** Reads a parsed frame. Throws FrameError with the reply to send. */
export function readRequest(frame: unknown): Request {
  if (!isRecord(frame) || frame.jsonrpc !== '2.0' || typeof frame.method !== 'string') {
    throw new FrameError(null, invalidRequest());
  }
  const { id, method, params } = frame;
  if (typeof id !== 'string' && typeof id !== 'number') {
    throw new FrameError(
      null,
      new RpcError(-32000, 'Ignoring response because of a notification request', { value: 'pong' }),
    );
  }
  if (params !== undefined && params !== null && !isRecord(params)) throw new FrameError(id, paramsNotObject());
  return { id, method, parameters: isRecord(params) ? params : {} };
}

export function resultFrame(id: string | number, result: unknown): string {
  return write({ id, jsonrpc: '2.0', result });
}

export function errorFrame(id: string | number | null, error: RpcError): string {
  return write(errorObject(id, error));
}

export function errorObject(id: string | number | null, error: RpcError): Parameters {
  const { code, data, message } = error;
  return { error: { code, ...(data === undefined ? {} : { data }), message }, id, jsonrpc: '2.0' };
}

export function eventFrame(object: string, type: string, data: Parameters): string {
  return write({ jsonrpc: '2.0', method: 'onEvent', params: { value: { data, object, type } } });
}

/** JSON with the keys of every object in alphabetical order, as Kurento writes it. */
function write(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (!isRecord(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
