import { createCipheriv, hash } from 'node:crypto';
import type { CounterModeKeys } from '../../embedded-server/media/counter-mode.js';
import { sequenceDistance } from '../../embedded-server/media/rtp.js';

const blockBytes = 16;
/** A key of HMAC is padded to a block of its hash (RFC 2104; SHA-1: 64 bytes). */
const padBytes = 64;
const digestBytes = 20;
const tagBytes = 10;
const datagramBytesMax = 65_536;
/**
 * What is deciphered of each payload. A probe plays nothing: it reads the codec's own words before a frame (of VP8, six bytes of
 * descriptor and ten of a key frame's head), and the number that a resent packet begins with.
 */
const readBytes = 2 * blockBytes;

// Written anew for each packet, of whatever probe: nothing stays in them from one call to the next.
const packet = Buffer.alloc(padBytes + datagramBytesMax);
const outer = Buffer.alloc(padBytes + digestBytes);
const counters = Buffer.alloc(datagramBytesMax);

/**
 * Reads RTP under AES_CM_128_HMAC_SHA1_80 (RFC 3711, 4.1.1 and 4.2.1): every packet is authenticated as a whole, and of what is
 * authentic the first bytes are deciphered, in place. As where packets are sent, one cipher lasts for the session, and the HMAC is two plain hashes.
 */
export class SrtpReading {
  readonly #cipher;
  readonly #salt = Buffer.alloc(blockBytes);
  readonly #innerPad: Buffer;
  readonly #outerPad: Buffer;
  /** Highest packet index (rollover counter × 65536 + sequence number) by SSRC (RFC 3711, 3.3.1). */
  readonly #highest = new Map<number, number>();

  constructor({ key, salt, authKey }: CounterModeKeys) {
    this.#cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false);
    salt.copy(this.#salt);
    const padded = (fill: number): Buffer =>
      Buffer.alloc(padBytes, fill).map((byte, at) => byte ^ (authKey[at] ?? 0)) as Buffer;
    this.#innerPad = padded(0x36);
    this.#outerPad = padded(0x5c);
  }

  /** The packet without its tag, in the datagram's own memory; `undefined` when it is no RTP or not authentic. */
  read(datagram: Buffer): Buffer | undefined {
    const end = datagram.length - tagBytes;
    const payloadAt = payloadStart(datagram, end);
    if (payloadAt === undefined) return undefined;
    const sequenceNumber = datagram.readUInt16BE(2);
    const ssrc = datagram.readUInt32BE(8);
    const known = this.#highest.get(ssrc);
    const distance = known === undefined ? 0 : sequenceDistance(known & 0xffff, sequenceNumber);
    const extended = known === undefined ? sequenceNumber : known + distance;
    const rollover = Math.max(0, Math.floor(extended / 65_536));
    if (!this.#isAuthentic(datagram, end, rollover)) return undefined;
    // Only an authentic packet may move the counter.
    if (known === undefined || distance > 0) this.#highest.set(ssrc, extended);
    this.#decipher(datagram, payloadAt, end, { ssrc, sequenceNumber, rollover });
    return datagram.subarray(0, end);
  }

  #isAuthentic(datagram: Buffer, end: number, rollover: number): boolean {
    this.#innerPad.copy(packet);
    datagram.copy(packet, padBytes, 0, end);
    packet.writeUInt32BE(rollover, padBytes + end);
    this.#outerPad.copy(outer);
    outer.write(hash('sha1', packet.subarray(0, padBytes + end + 4), 'binary'), padBytes, digestBytes, 'latin1');
    return hash('sha1', outer, 'binary').startsWith(datagram.toString('latin1', end, end + tagBytes));
  }

  #decipher(
    datagram: Buffer,
    at: number,
    end: number,
    { ssrc, sequenceNumber, rollover }: { ssrc: number; sequenceNumber: number; rollover: number },
  ): void {
    // The length of padding stands in its last byte (RFC 3550, 5.1).
    const isPadded = ((datagram[0] ?? 0) & 0x20) !== 0;
    const bytes = isPadded ? end - at : Math.min(readBytes, end - at);
    if (bytes <= 0) return;
    for (let block = 0; block * blockBytes < bytes; block += 1) {
      const from = block * blockBytes;
      this.#salt.copy(counters, from);
      counters.writeUInt32BE((counters.readUInt32BE(from + 4) ^ ssrc) >>> 0, from + 4);
      counters.writeUInt32BE((counters.readUInt32BE(from + 8) ^ rollover) >>> 0, from + 8);
      counters.writeUInt16BE(counters.readUInt16BE(from + 12) ^ sequenceNumber, from + 12);
      counters.writeUInt16BE(block, from + 14);
    }
    const stream = this.#cipher.update(counters.subarray(0, Math.ceil(bytes / blockBytes) * blockBytes));
    for (let index = 0; index < bytes; index += 1) {
      datagram[at + index] = (datagram[at + index] ?? 0) ^ (stream[index] ?? 0);
    }
  }
}

/** Where the payload begins (RFC 3550, 5.1 and 5.3.1); `undefined` when the packet ends before. */
function payloadStart(datagram: Buffer, end: number): number | undefined {
  const first = datagram[0] ?? 0;
  let at = 12 + (first & 0x0f) * 4;
  if (first >> 6 !== 2 || end < at) return undefined;
  if ((first & 0x10) !== 0) {
    if (end < at + 4) return undefined;
    at += 4 + datagram.readUInt16BE(at + 2) * 4;
  }
  return at <= end ? at : undefined;
}
