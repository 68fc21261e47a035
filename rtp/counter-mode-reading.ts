import type { CounterModeKeys } from './counter-mode.js';
import { blockBytes, type KeyStream, keyStream, type PacketPlace } from './key-stream.js';
import { type PacketDigest, packetDigest, tagBytes } from './packet-digest.js';
import { PacketIndexes, rolloverOf } from './packet-indexes.js';
import { datagramBytesMax, padBytes } from './packet-room.js';
import { isPadded, payloadStart } from './rtp.js';
import { packetRoom } from './shared-room.js';

/** Views of words cost as much as so many bytes. */
const shortBytes = 64;

/** Of a packet that ends a frame, so many bytes of its end are deciphered beside those of its beginning. */
export const tailBytes = 24;
const marker = 0x80;

/**
 * Reads RTP under AES_CM_128_HMAC_SHA1_80 (RFC 3711 4.1.1 and 4.2.1): every packet is authenticated as a whole, and
 * what is authentic is deciphered, in place.
 */
export class CounterModeReading {
  readonly #room = packetRoom();
  readonly #keyStream: KeyStream;
  readonly #digest: PacketDigest;
  readonly #indexes = new PacketIndexes();
  readonly #readBytes: (payloadType: number) => number;

  /** @param readBytes so much of each payload of a type is deciphered, its padding's length, and the end of frames */
  constructor({ key, salt, authKey }: CounterModeKeys, readBytes = (_payloadType: number) => datagramBytesMax) {
    this.#keyStream = keyStream(this.#room, key, salt);
    this.#digest = packetDigest(this.#room, authKey);
    this.#readBytes = readBytes;
  }

  /** The packet without its tag, in the datagram's memory; `undefined` if no RTP, not authentic or a replay. */
  read(datagram: Buffer): Buffer | undefined {
    const end = this.readInPlace(datagram);
    return end === 0 ? undefined : datagram.subarray(0, end);
  }

  /** The same without an object: where the packet ends, 0 if it is no RTP, not authentic or a replay. */
  readInPlace(datagram: Buffer): number {
    const end = datagram.length - tagBytes;
    const payloadAt = payloadStart(datagram, end);
    if (payloadAt === undefined) return 0;
    const sequenceNumber = datagram.readUInt16BE(2);
    const ssrc = datagram.readUInt32BE(8);
    const index = this.#indexes.of(ssrc, sequenceNumber);
    if (!this.#indexes.isNew(ssrc, index)) return 0;
    const rollover = rolloverOf(index);
    if (!this.#isAuthentic(datagram, end, rollover)) return 0;
    this.#indexes.passed(ssrc, index);
    this.#decipher(datagram, payloadAt, end, { ssrc, sequenceNumber, rollover });
    return end;
  }

  #isAuthentic(datagram: Buffer, end: number, rollover: number): boolean {
    const { bytes } = this.#room;
    // Not `copy`, which makes an object of what it takes.
    bytes.set(datagram, padBytes);
    bytes.writeUInt32BE(rollover, padBytes + end);
    return this.#digest.isTag(padBytes + end + 4, datagram, end);
  }

  #decipher(datagram: Buffer, at: number, end: number, place: PacketPlace): void {
    const about = datagram[1] ?? 0;
    const bytes = isPadded(datagram) ? end - at : Math.min(this.#readBytes(about & 0x7f), end - at);
    if (bytes <= 0) return;
    unmask(datagram, at, bytes, this.#keyStream.of(bytes, place));
    if ((about & marker) === 0 || at + bytes >= end) return;
    const payload = datagram.subarray(at, end);
    this.#decipherEnd(payload, Math.max(bytes, payload.length - tailBytes), place);
  }

  /** From there on. */
  #decipherEnd(payload: Buffer, from: number, place: PacketPlace): void {
    const fromBlock = Math.floor(from / blockBytes);
    const before = fromBlock * blockBytes;
    const stream = this.#keyStream.of(payload.length - before, place, fromBlock);
    for (let at = from; at < payload.length; at += 1) payload[at] = (payload[at] ?? 0) ^ (stream[at - before] ?? 0);
  }
}

/** Short input byte by byte. Longer input word by word if aligned, as where Node receives datagrams. */
function unmask(datagram: Buffer, at: number, bytes: number, stream: Uint8Array): void {
  const isWhole = bytes > shortBytes && (datagram.byteOffset + at) % 4 === 0;
  const words = isWhole ? Math.floor(bytes / 4) : 0;
  if (words > 0) {
    const payload = new Uint32Array(datagram.buffer, datagram.byteOffset + at, words);
    const mask = new Uint32Array(stream.buffer, stream.byteOffset, words);
    for (let word = 0; word < words; word += 1) payload[word] = (payload[word] ?? 0) ^ (mask[word] ?? 0);
  }
  for (let byte = 4 * words; byte < bytes; byte += 1) {
    datagram[at + byte] = (datagram[at + byte] ?? 0) ^ (stream[byte] ?? 0);
  }
}
