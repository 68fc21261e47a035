import { z } from 'zod';
import { jsonIn } from '../../model/json-text.js';
import { tooDeep } from '../sockets/socket-bounds.js';

/** What a Kurento sends: JSON-RPC 2.0 responses, and `onEvent` notifications. */
export type KurentoFrame =
  | { readonly kind: 'response'; readonly id: number | string; readonly error?: FrameError; readonly result?: unknown }
  | { readonly kind: 'event'; readonly event: ObjectEvent }
  /** `shown` is enough of it to recognise it by. */
  | { readonly kind: 'unreadable'; readonly shown: string }
  /** Not parsed: what it is too much of. */
  | { readonly kind: 'excess'; readonly excess: string };

export interface FrameError {
  readonly code: number;
  readonly message: string;
  readonly type?: string;
}

/** Something that one remote object did. */
export interface ObjectEvent {
  readonly object: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const errorSchema = z.object({
  code: z.number(),
  message: z.string(),
  data: z.object({ type: z.string().optional() }).optional().catch(undefined),
});
const responseSchema = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.number(), z.string()]),
  method: z.undefined().optional(),
  error: errorSchema.optional(),
  result: z.unknown().optional(),
});
const eventSchema = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.undefined().optional(),
  method: z.literal('onEvent'),
  params: z.object({
    value: z.object({ object: z.string(), type: z.string(), data: z.record(z.string(), z.unknown()) }),
  }),
});

const shownCharacters = 80;

/** Reads one text frame. All but responses and events is `unreadable`, our own requests included. */
export function readFrame(text: string): KurentoFrame {
  const excess = tooDeep(text);
  if (excess !== undefined) return { kind: 'excess', excess };
  const unreadable: KurentoFrame = { kind: 'unreadable', shown: text.slice(0, shownCharacters) };
  const json = jsonIn(text);
  const event = eventSchema.safeParse(json);
  if (event.success) return { kind: 'event', event: event.data.params.value };
  const response = responseSchema.safeParse(json);
  if (!response.success) return unreadable;
  const { id, error, result } = response.data;
  if (error === undefined) return result === undefined ? unreadable : { kind: 'response', id, result };
  const type = error.data?.type;
  return { kind: 'response', id, error: { code: error.code, message: error.message, ...(type && { type }) } };
}
