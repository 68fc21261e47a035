import { type KeyStream, keyStream } from './key-stream.js';
import { type PacketDigest, packetDigest, tagBytes } from './packet-digest.js';
import { packetRoom, padBytes } from './packet-room.js';
import { type OutgoingHeader, putRtpHeader, rtpHeaderBytes } from './rtp.js';

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

/** A packet before it is protected. */
export interface OutgoingPacket {
  readonly header: OutgoingHeader;
  /** How often its numbers of 16 bits have wrapped. */
  readonly rollover: number;
  /** What stands before the body: so many bytes, four at most, as one number. */
  readonly head: number;
  readonly headBytes: number;
  readonly body: Uint8Array;
}

/** Writes head and body there. */
export function putPayload(out: Buffer, at: number, { head, headBytes, body }: OutgoingPacket): void {
  for (let nth = 0; nth < headBytes; nth += 1) out[at + nth] = head >>> (8 * (headBytes - 1 - nth));
  out.set(body, at + headBytes);
}

/** Protects RTP with AES_CM_128_HMAC_SHA1_80 (RFC 3711 4.1.1 and 4.2.1). */
export class CounterModeProtection {
  readonly #room = packetRoom();
  readonly #keyStream: KeyStream;
  readonly #digest: PacketDigest;
  // One for all packets: no object is made for each.
  readonly #place = { ssrc: 0, sequenceNumber: 0, rollover: 0 };

  constructor({ key, salt, authKey }: CounterModeKeys) {
    this.#keyStream = keyStream(this.#room, key, salt);
    this.#digest = packetDigest(this.#room, authKey);
  }

  /** `header` must be whole words, as RTP headers are; `rollover` is the rollover counter of the packet. */
  protect(header: Buffer, payload: Buffer, ssrc: number, sequenceNumber: number, rollover: number): Buffer {
    const { bytes } = this.#room;
    bytes.set(header, padBytes);
    bytes.set(payload, padBytes + header.length);
    return Buffer.from(this.#protected(header.length, payload.length, ssrc, sequenceNumber, rollover));
  }

  /** The same, of a packet in parts. The datagram is in memory that the next packet, of whatever session, is written over. */
  protectParts(packet: OutgoingPacket): Buffer {
    const { header, rollover, headBytes, body } = packet;
    const { bytes } = this.#room;
    const headerBytes = rtpHeaderBytes(header);
    putRtpHeader(bytes, padBytes, header);
    putPayload(bytes, padBytes + headerBytes, packet);
    return this.#protected(headerBytes, headBytes + body.length, header.ssrc, header.sequenceNumber, rollover);
  }

  /** What stands in the room. */
  #protected(
    headerBytes: number,
    payloadBytes: number,
    ssrc: number,
    sequenceNumber: number,
    rollover: number,
  ): Buffer {
    const { bytes } = this.#room;
    const place = this.#place;
    place.ssrc = ssrc;
    place.sequenceNumber = sequenceNumber;
    place.rollover = rollover;
    this.#keyStream.cover(headerBytes, payloadBytes, place);
    const end = padBytes + headerBytes + payloadBytes;
    bytes.writeUInt32BE(rollover, end);
    this.#digest.writeTag(end + 4, bytes, end);
    return bytes.subarray(padBytes, end + tagBytes);
  }
}
