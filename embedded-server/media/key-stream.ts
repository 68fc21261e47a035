import { createCipheriv } from 'node:crypto';

export const blockBytes = 16;
export const datagramBytesMax = 65_536;

/** Which packet a key stream is for. */
export interface PacketPlace {
  readonly ssrc: number;
  readonly sequenceNumber: number;
  /** The rollover counter. */
  readonly rollover: number;
}

// Written anew for each packet, of whatever session: nothing stays in them from one call to the next.
const counterWords = new Uint32Array(datagramBytesMax / 4);
const counters = Buffer.from(counterWords.buffer);

/**
 * The key stream of AES in counter mode (RFC 3711 4.1.1) of one direction. Node makes an object for each cipher, which costs more than
 * what it computes once it is collected. Here one lasts for the session: it encrypts counters, and what it gives is the key stream.
 */
export class KeyStream {
  readonly #cipher;
  readonly #salt = Buffer.alloc(blockBytes);

  /** @param key 16 bytes @param salt 14 bytes */
  constructor(key: Buffer, salt: Buffer) {
    this.#cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false);
    salt.copy(this.#salt);
  }

  /** So many blocks of it, in memory of their own. */
  of(blocks: number, { ssrc, sequenceNumber, rollover }: PacketPlace): Uint32Array {
    this.#salt.copy(counters);
    counters.writeUInt32BE((counters.readUInt32BE(4) ^ ssrc) >>> 0, 4);
    counters.writeUInt32BE((counters.readUInt32BE(8) ^ rollover) >>> 0, 8);
    counters.writeUInt16BE(counters.readUInt16BE(12) ^ sequenceNumber, 12);
    const [a = 0, b = 0, c = 0, d = 0] = counterWords;
    for (let block = 1, at = 4; block < blocks; block += 1, at += 4) {
      counterWords[at] = a;
      counterWords[at + 1] = b;
      counterWords[at + 2] = c;
      counterWords[at + 3] = d;
      counters[block * blockBytes + 14] = block >> 8;
      counters[block * blockBytes + 15] = block;
    }
    const stream = this.#cipher.update(counters.subarray(0, blocks * blockBytes));
    return new Uint32Array(stream.buffer, stream.byteOffset, stream.length / 4);
  }
}
