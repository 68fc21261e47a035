import { blockBytes, datagramBytesMax, KeyStream } from './key-stream.js';
import { PacketDigest, padBytes } from './packet-digest.js';

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

export const tagBytes = 10;

// Written anew for each packet, of whatever endpoint: nothing stays in them from one call to the next.
const packetWords = new Uint32Array((padBytes + datagramBytesMax) / 4);
const packet = Buffer.from(packetWords.buffer);

/** Protects RTP with AES_CM_128_HMAC_SHA1_80 (RFC 3711 4.1.1 and 4.2.1). */
export class CounterModeProtection {
  readonly #keyStream: KeyStream;
  readonly #digest: PacketDigest;

  constructor({ key, salt, authKey }: CounterModeKeys) {
    this.#keyStream = new KeyStream(key, salt);
    this.#digest = new PacketDigest(authKey);
  }

  /** `header` must be whole words, as RTP headers are; `rollover` is the rollover counter of the packet. */
  protect(header: Buffer, payload: Buffer, ssrc: number, sequenceNumber: number, rollover: number): Buffer {
    const end = padBytes + header.length + payload.length;
    packet.set(header, padBytes);
    packet.set(payload, padBytes + header.length);
    const stream = this.#keyStream.of(Math.ceil(payload.length / blockBytes), { ssrc, sequenceNumber, rollover });
    const first = (padBytes + header.length) / 4;
    // The last word may reach past the payload: what is there is overwritten by the rollover counter.
    for (let at = 0; at < payload.length / 4; at += 1) {
      packetWords[first + at] = (packetWords[first + at] ?? 0) ^ (stream[at] ?? 0);
    }
    packet.writeUInt32BE(rollover, end);
    const datagram = Buffer.allocUnsafe(end - padBytes + tagBytes);
    packet.copy(datagram, 0, padBytes, end);
    datagram.write(this.#digest.of(packet, end + 4), end - padBytes, tagBytes, 'latin1');
    return datagram;
  }
}
