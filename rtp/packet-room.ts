import type { CryptoCalls } from './crypto-calls.js';

export const datagramBytesMax = 65_536;
/** A key of HMAC is padded to a block of its hash (RFC 2104; SHA-1: 64 bytes): so much is free before a packet. */
export const padBytes = 64;

/** Behind a packet there is room for what ends a hashed message. */
export const roomBytes = padBytes + datagramBytesMax + 2 * padBytes;

/** Where one packet at a time is worked on, of whatever session: nothing stays in it from one call to the next. */
export interface PacketRoom {
  readonly bytes: Buffer;
  readonly words: Uint32Array;
  /** What works on it, and where it is in memory; absent: Node's own ciphers and hashes do. */
  readonly calls?: CryptoCalls;
  readonly address: number;
}
