import { z } from 'zod';
import { jsonIn } from '../../model/json-text.js';
import { tooDeep } from '../sockets/socket-bounds.js';

const id = z.number().int();

/** What Janus sends: an answer to a transaction, or an event of a session or a handle. Fields are those of its API. */
const frameSchema = z.object({
  janus: z.string(),
  transaction: z.string().optional(),
  session_id: id.optional(),
  /** The handle that an event is of. */
  sender: id.optional(),
  error: z.object({ code: z.number(), reason: z.string() }).optional(),
  data: z.object({ id }).optional(),
  plugindata: z.object({ plugin: z.string(), data: z.record(z.string(), z.unknown()) }).optional(),
  jsep: z.object({ type: z.string(), sdp: z.string() }).optional(),
  candidate: z.record(z.string(), z.unknown()).optional(),
  /** Of `hangup`. */
  reason: z.string().optional(),
  /** Of `media`: the kind, and whether it comes to Janus. */
  type: z.string().optional(),
  receiving: z.boolean().optional(),
  /** Of `slowlink`: the kind, which way, and packets that were lost. */
  media: z.string().optional(),
  uplink: z.boolean().optional(),
  lost: z.number().optional(),
  /** Of the Admin API. */
  sessions: z.array(id).optional(),
  /** Of `info`. */
  version_string: z.string().optional(),
  plugins: z.record(z.string(), z.unknown()).optional(),
});

export type JanusFrame = z.infer<typeof frameSchema>;

/** One frame, or `undefined` where the text is none of Janus'. */
export function readFrame(text: string): JanusFrame | undefined {
  return tooDeep(text) === undefined ? frameSchema.safeParse(jsonIn(text)).data : undefined;
}
