import { hash } from 'node:crypto';

/** A key of HMAC is padded to a block of its hash (RFC 2104; SHA-1: 64 bytes). */
export const padBytes = 64;
const digestBytes = 20;

const outer = Buffer.alloc(padBytes + digestBytes);

/** HMAC-SHA1 of packets. As with a cipher, an object of Node's for each packet costs more than what it computes: it is two plain hashes. */
export class PacketDigest {
  readonly #innerPad: Buffer;
  readonly #outerPad: Buffer;

  constructor(authKey: Buffer) {
    const padded = (fill: number): Buffer =>
      Buffer.alloc(padBytes, fill).map((byte, at) => byte ^ (authKey[at] ?? 0)) as Buffer;
    this.#innerPad = padded(0x36);
    this.#outerPad = padded(0x5c);
  }

  /** Of what stands in `room` behind its first `padBytes`, which are this one's to write in, up to `end`; a character for each byte. */
  of(room: Buffer, end: number): string {
    this.#innerPad.copy(room);
    this.#outerPad.copy(outer);
    outer.write(hash('sha1', room.subarray(0, end), 'binary'), padBytes, digestBytes, 'latin1');
    return hash('sha1', outer, 'binary');
  }
}
