import { messageBytesMax } from './socket-bounds.js';

/** The body of an answer as text. One that is longer than any message of a media server is not read to its end: rejects. */
export async function boundedText({ body }: Pick<Response, 'body'>): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop early cancels the stream, and with it the connection.
  for await (const part of body ?? []) {
    bytes += part.byteLength;
    if (bytes > messageBytesMax) throw new Error(`it sent a body of more than ${messageBytesMax >> 20} MiB`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}
