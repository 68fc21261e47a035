import { type KeyStream, keyStream, type PacketPlace } from './key-stream.js';
import { type PacketDigest, packetDigest, tagBytes } from './packet-digest.js';
import { packetRoom, padBytes } from './packet-room.js';

/** Session keys of one direction (RFC 3711 4.3): 16 bytes, 14 bytes, 20 bytes. */
export interface CounterModeKeys {
  readonly key: Buffer;
  readonly salt: Buffer;
  readonly authKey: Buffer;
}

/** What werift's DTLS has agreed on, of one direction. */
export function keysOf(session: {
  readonly srtpSessionKey: Buffer;
  readonly srtpSessionSalt: Buffer;
  readonly srtpSessionAuthTag: Buffer;
}): CounterModeKeys {
  return { key: session.srtpSessionKey, salt: session.srtpSessionSalt, authKey: session.srtpSessionAuthTag };
}

const nothing = Buffer.alloc(0);

/** Protects RTP with AES_CM_128_HMAC_SHA1_80 (RFC 3711 4.1.1 and 4.2.1). */
export class CounterModeProtection {
  readonly #room = packetRoom();
  readonly #keyStream: KeyStream;
  readonly #digest: PacketDigest;

  constructor({ key, salt, authKey }: CounterModeKeys) {
    this.#keyStream = keyStream(this.#room, key, salt);
    this.#digest = packetDigest(this.#room, authKey);
  }

  /** `header` must be whole words, as RTP headers are; `rollover` is the rollover counter of the packet. */
  protect(header: Buffer, payload: Buffer, ssrc: number, sequenceNumber: number, rollover: number): Buffer {
    return Buffer.from(this.protectInRoom(header, nothing, payload, { ssrc, sequenceNumber, rollover }));
  }

  /** The same, of a payload in two parts. The datagram is in memory that the next packet, of whatever session, is written over. */
  protectInRoom(header: Buffer, head: Buffer, body: Buffer, place: PacketPlace): Buffer {
    const { bytes } = this.#room;
    const headAt = padBytes + header.length;
    const bodyAt = headAt + head.length;
    const end = bodyAt + body.length;
    bytes.set(header, padBytes);
    for (let at = 0; at < head.length; at += 1) bytes[headAt + at] = head[at] ?? 0;
    bytes.set(body, bodyAt);
    this.#keyStream.cover(header.length, end - headAt, place);
    bytes.writeUInt32BE(place.rollover, end);
    this.#digest.writeTag(end + 4, bytes, end);
    return bytes.subarray(padBytes, end + tagBytes);
  }
}
