import { messageBytesMax } from './socket-bounds.js';

export interface BodyBound {
  readonly bytesMax: number;
  /** What is thrown of a longer one. */
  readonly tooLong: () => Error;
}

/** Longer than any message of a media server. */
const usualBound: BodyBound = {
  bytesMax: messageBytesMax,
  tooLong: () => new Error(`it sent a body of more than ${messageBytesMax >> 20} MiB`),
};

/** The body of an answer as text. One that is longer than its bound is not read to its end: rejects. */
export async function boundedText(
  { body }: Pick<Response, 'body'>,
  { bytesMax, tooLong } = usualBound,
): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop early cancels the stream, and with it the connection.
  for await (const part of body ?? []) {
    bytes += part.byteLength;
    if (bytes > bytesMax) throw tooLong();
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

/** Why a `fetch` failed: what it says itself is only that it did. */
export function causeOfFetch(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}
