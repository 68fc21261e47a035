import { z } from 'zod';

/** What a host that plays probes must know to speak to an endpoint itself, for one stream and one leg. */
const wordsSchema = z.strictObject({
  way: z.enum(['whip', 'whep']),
  /** With the name of the stream in it. */
  address: z.string().max(4000),
  shown: z.record(z.string().max(200), z.string().max(8000)),
  timeoutMs: z.number().positive(),
  streamWithinMs: z.number().nonnegative(),
  /** What the standard forbids is an error. */
  strict: z.boolean().exactOptional(),
});
export type SpokenWords = z.infer<typeof wordsSchema>;

/** What the conductor must know to end what was opened. */
const openedSchema = z.strictObject({
  /** Of the session on the server; absent: it names none. */
  url: z.string().max(4000).exactOptional(),
  /** ICE servers that the answer named. */
  iceUrls: z.array(z.string().max(500)).max(100),
  /** Why it was not there at once: the first no. */
  waited: z.string().max(2000).exactOptional(),
});
export type SpokenOpened = z.infer<typeof openedSchema>;

/** Throws where they are none of this version. */
export const readWords = (text: string): SpokenWords => wordsSchema.parse(JSON.parse(text));
export const readOpened = (text: string): SpokenOpened => openedSchema.parse(JSON.parse(text));
