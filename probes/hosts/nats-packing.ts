import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { JsMsg } from '@nats-io/jetstream';
import { headers, type MsgHdrs } from '@nats-io/transport-node';

/** Samples of one second are alike: packed at the cheapest level they have a tenth of their size. */
const packing = { header: 'Content-Encoding', is: 'deflate', level: 1, fromCharacters: 1000 } as const;
/** What a page of 16 probes tells at once fits into one piece: pieces of Node's 16 KB took twice the CPU. */
const pieceBytes = 1 << 15;

export function packedText(text: string): { readonly body: string | Uint8Array; readonly headers?: MsgHdrs } {
  if (text.length < packing.fromCharacters) return { body: text };
  const about = headers();
  about.set(packing.header, packing.is);
  return { body: deflateRawSync(text, { level: packing.level }), headers: about };
}

/** Of what cannot be unpacked nothing is left, as of any text that nobody of ours has written. */
export function unpackedText({ headers: about, data }: Pick<JsMsg, 'headers' | 'data'>, bytesMax: number): string {
  if (about?.get(packing.header) !== packing.is) return new TextDecoder().decode(data);
  try {
    return inflateRawSync(data, { maxOutputLength: bytesMax, chunkSize: pieceBytes }).toString();
  } catch {
    return '';
  }
}
