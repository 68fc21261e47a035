import { createCipheriv, hash } from 'node:crypto';

/** Session keys of one direction (RFC 3711 4.3): 16 bytes, 14 bytes, 20 bytes. */
export interface CounterModeKeys {
  readonly key: Buffer;
  readonly salt: Buffer;
  readonly authKey: Buffer;
}

const blockBytes = 16;
/** A key of HMAC is padded to a block of its hash (RFC 2104; SHA-1: 64 bytes). */
const padBytes = 64;
const digestBytes = 20;
const tagBytes = 10;
const datagramBytesMax = 65_536;

// Written anew for each packet, of whatever endpoint: nothing stays in them from one call to the next.
const counterWords = new Uint32Array(datagramBytesMax / 4);
const counters = Buffer.from(counterWords.buffer);
const packetWords = new Uint32Array((padBytes + datagramBytesMax) / 4);
const packet = Buffer.from(packetWords.buffer);
const outer = Buffer.alloc(padBytes + digestBytes);

/**
 * Protects RTP with AES_CM_128_HMAC_SHA1_80 (RFC 3711 4.1.1 and 4.2.1). Node makes a cipher and an HMAC with an object each,
 * which cost more than what they compute once they are collected, for every packet of every viewer. Here one cipher lasts for
 * the session: it encrypts counters, and what it gives is the key stream. The HMAC is two plain hashes.
 */
export class CounterModeProtection {
  readonly #cipher;
  readonly #salt = Buffer.alloc(blockBytes);
  readonly #innerPad: Buffer;
  readonly #outerPad: Buffer;

  constructor({ key, salt, authKey }: CounterModeKeys) {
    this.#cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false);
    salt.copy(this.#salt);
    const padded = (fill: number): Buffer =>
      Buffer.alloc(padBytes, fill).map((byte, at) => byte ^ (authKey[at] ?? 0)) as Buffer;
    this.#innerPad = padded(0x36);
    this.#outerPad = padded(0x5c);
  }

  /** `header` must be whole words, as RTP headers are; `rollover` is the rollover counter of the packet. */
  protect(header: Buffer, payload: Buffer, ssrc: number, sequenceNumber: number, rollover: number): Buffer {
    const end = padBytes + header.length + payload.length;
    this.#innerPad.copy(packet);
    packet.set(header, padBytes);
    packet.set(payload, padBytes + header.length);
    const stream = this.#keyStream(Math.ceil(payload.length / blockBytes), ssrc, sequenceNumber, rollover);
    const first = (padBytes + header.length) / 4;
    // The last word may reach past the payload: what is there is overwritten by the rollover counter.
    for (let at = 0; at < payload.length / 4; at += 1) {
      packetWords[first + at] = (packetWords[first + at] ?? 0) ^ (stream[at] ?? 0);
    }
    packet.writeUInt32BE(rollover, end);
    const datagram = Buffer.allocUnsafe(end - padBytes + tagBytes);
    packet.copy(datagram, 0, padBytes, end);
    datagram.write(this.#digest(end + 4), end - padBytes, tagBytes, 'latin1');
    return datagram;
  }

  /** The encrypted counters of so many blocks. */
  #keyStream(blocks: number, ssrc: number, sequenceNumber: number, rollover: number): Uint32Array {
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

  /** HMAC-SHA1 of the packet up to `end`, a character for each byte. */
  #digest(end: number): string {
    this.#outerPad.copy(outer);
    outer.write(hash('sha1', packet.subarray(0, end), 'binary'), padBytes, digestBytes, 'latin1');
    return hash('sha1', outer, 'binary');
  }
}
