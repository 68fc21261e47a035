import type { CounterModeKeys } from './counter-mode.js';
import { type KeyStream, keyStream, type PacketPlace } from './key-stream.js';
import { type PacketDigest, packetDigest, tagBytes } from './packet-digest.js';
import { PacketIndexes } from './packet-indexes.js';
import { padBytes } from './packet-room.js';
import { packetRoom } from './shared-room.js';

/** The header of the first report and the SSRC of who reports stay as they are. */
const plainBytes = 8;
const indexBytes = 4;
/** The bit that says that it is encrypted (E), before an index of 31 bits. */
const encryptedBit = 2 ** 31;

/** What werift's DTLS has agreed on for RTCP, of one direction. */
export function controlKeysOf(session: {
  readonly srtcpSessionKey: Buffer;
  readonly srtcpSessionSalt: Buffer;
  readonly srtcpSessionAuthTag: Buffer;
}): CounterModeKeys {
  return { key: session.srtcpSessionKey, salt: session.srtcpSessionSalt, authKey: session.srtcpSessionAuthTag };
}

/** RTCP of one direction under AES_CM_128_HMAC_SHA1_80 (RFC 3711, 3.4). */
class Direction {
  readonly room = packetRoom();
  readonly keyStream: KeyStream;
  readonly digest: PacketDigest;

  constructor({ key, salt, authKey }: CounterModeKeys) {
    this.keyStream = keyStream(this.room, key, salt);
    this.digest = packetDigest(this.room, authKey);
  }
}

const placeOf = (ssrc: number, index: number): PacketPlace => ({
  ssrc,
  sequenceNumber: index & 0xffff,
  rollover: index >>> 16,
});

export class CounterModeControlProtection {
  readonly #direction: Direction;
  #index = 0;

  constructor(keys: CounterModeKeys) {
    this.#direction = new Direction(keys);
  }

  /** The datagram is in memory that the next packet, of whatever session, is written over. */
  protect(compound: Buffer): Buffer {
    const { room, keyStream: stream, digest } = this.#direction;
    const { bytes } = room;
    this.#index = (this.#index + 1) % encryptedBit;
    bytes.set(compound, padBytes);
    stream.cover(plainBytes, compound.length - plainBytes, placeOf(compound.readUInt32BE(4), this.#index));
    const end = padBytes + compound.length;
    bytes.writeUInt32BE(encryptedBit + this.#index, end);
    digest.writeTag(end + indexBytes, bytes, end + indexBytes);
    return bytes.subarray(padBytes, end + indexBytes + tagBytes);
  }
}

export class CounterModeControlReading {
  readonly #direction: Direction;
  readonly #indexes = new PacketIndexes();

  constructor(keys: CounterModeKeys) {
    this.#direction = new Direction(keys);
  }

  /** The compound, in the datagram's own memory; `undefined` when it is not authentic, or came before. */
  read(datagram: Buffer): Buffer | undefined {
    const { room, keyStream: stream, digest } = this.#direction;
    const tagAt = datagram.length - tagBytes;
    const end = tagAt - indexBytes;
    if (end < plainBytes) return undefined;
    const ssrc = datagram.readUInt32BE(4);
    const index = datagram.readUInt32BE(end);
    const isEncrypted = index >= encryptedBit;
    const place = isEncrypted ? index - encryptedBit : index;
    if (!this.#indexes.isNew(ssrc, place)) return undefined;
    room.bytes.set(datagram, padBytes);
    if (!digest.isTag(padBytes + tagAt, datagram, tagAt)) return undefined;
    this.#indexes.passed(ssrc, place);
    if (isEncrypted) {
      const mask = stream.of(end - plainBytes, placeOf(ssrc, place));
      for (let at = plainBytes; at < end; at += 1) datagram[at] = (datagram[at] ?? 0) ^ (mask[at - plainBytes] ?? 0);
    }
    return datagram.subarray(0, end);
  }
}
