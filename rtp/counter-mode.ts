import { type KeyStream, keyStream } from './key-stream.js';
import { type OutgoingPacket, payloadBytesOf, putPayload } from './outgoing-packet.js';
import { type PacketDigest, packetDigest, tagBytes } from './packet-digest.js';
import { padBytes } from './packet-room.js';
import { putRtpHeader, rtpHeaderBytes } from './rtp.js';
import { packetRoom } from './shared-room.js';

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

  /** The datagram is in memory that the next packet, of whatever session, is written over. */
  protect(packet: OutgoingPacket): Buffer {
    const { header, rollover } = packet;
    const { bytes } = this.#room;
    const headerBytes = rtpHeaderBytes(header);
    const payloadBytes = payloadBytesOf(packet);
    putRtpHeader(bytes, padBytes, header);
    putPayload(bytes, padBytes + headerBytes, packet);
    const place = this.#place;
    place.ssrc = header.ssrc;
    place.sequenceNumber = header.sequenceNumber;
    place.rollover = rollover;
    this.#keyStream.cover(headerBytes, payloadBytes, place);
    const end = padBytes + headerBytes + payloadBytes;
    bytes.writeUInt32BE(rollover, end);
    this.#digest.writeTag(end + 4, bytes, end);
    return bytes.subarray(padBytes, end + tagBytes);
  }
}
