import { type CounterModeKeys, tagBytes } from './counter-mode.js';
import { blockBytes, datagramBytesMax, KeyStream, type PacketPlace } from './key-stream.js';
import { PacketDigest, padBytes } from './packet-digest.js';
import { PacketIndexes, rolloverOf } from './packet-indexes.js';
import { isPadded, payloadStart } from './rtp.js';

// Written anew for each packet, of whatever session: nothing stays in it from one call to the next.
const packet = Buffer.alloc(padBytes + datagramBytesMax);

/**
 * Reads RTP under AES_CM_128_HMAC_SHA1_80 (RFC 3711 4.1.1 and 4.2.1): every packet is authenticated as a whole, and what is authentic
 * is deciphered, in place.
 */
export class CounterModeReading {
  readonly #keyStream: KeyStream;
  readonly #digest: PacketDigest;
  readonly #indexes = new PacketIndexes();
  readonly #readBytes: (payloadType: number) => number;

  /** @param readBytes no more than so much of each payload of a type is deciphered, and the length of its padding */
  constructor({ key, salt, authKey }: CounterModeKeys, readBytes = (_payloadType: number) => datagramBytesMax) {
    this.#keyStream = new KeyStream(key, salt);
    this.#digest = new PacketDigest(authKey);
    this.#readBytes = readBytes;
  }

  /** The packet without its tag, in the datagram's own memory; `undefined` when it is no RTP or not authentic. */
  read(datagram: Buffer): Buffer | undefined {
    const end = datagram.length - tagBytes;
    const payloadAt = payloadStart(datagram, end);
    if (payloadAt === undefined) return undefined;
    const sequenceNumber = datagram.readUInt16BE(2);
    const ssrc = datagram.readUInt32BE(8);
    const index = this.#indexes.of(ssrc, sequenceNumber);
    const rollover = rolloverOf(index);
    if (!this.#isAuthentic(datagram, end, rollover)) return undefined;
    this.#indexes.passed(ssrc, index);
    this.#decipher(datagram, payloadAt, end, { ssrc, sequenceNumber, rollover });
    return datagram.subarray(0, end);
  }

  #isAuthentic(datagram: Buffer, end: number, rollover: number): boolean {
    datagram.copy(packet, padBytes, 0, end);
    packet.writeUInt32BE(rollover, padBytes + end);
    return this.#digest.of(packet, padBytes + end + 4).startsWith(datagram.toString('latin1', end, end + tagBytes));
  }

  #decipher(datagram: Buffer, at: number, end: number, place: PacketPlace): void {
    const bytes = isPadded(datagram) ? end - at : Math.min(this.#readBytes((datagram[1] ?? 0) & 0x7f), end - at);
    if (bytes > 0) unmask(datagram, at, bytes, this.#keyStream.of(Math.ceil(bytes / blockBytes), place));
  }
}

/** Word by word where its place in memory allows, and that is where Node receives datagrams. */
function unmask(datagram: Buffer, at: number, bytes: number, stream: Uint32Array): void {
  const isWhole = (datagram.byteOffset + at) % 4 === 0;
  const words = isWhole ? Math.floor(bytes / 4) : 0;
  if (words > 0) {
    const payload = new Uint32Array(datagram.buffer, datagram.byteOffset + at, words);
    for (let word = 0; word < words; word += 1) payload[word] = (payload[word] ?? 0) ^ (stream[word] ?? 0);
  }
  const mask = new Uint8Array(stream.buffer, stream.byteOffset, stream.byteLength);
  for (let byte = 4 * words; byte < bytes; byte += 1) {
    datagram[at + byte] = (datagram[at + byte] ?? 0) ^ (mask[byte] ?? 0);
  }
}
