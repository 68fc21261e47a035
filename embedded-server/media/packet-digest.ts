import { hash } from 'node:crypto';
import type { ForeignMemory } from '../../host/foreign-calls.js';
import { type CryptoCalls, shaStateBytes } from './crypto-calls.js';
import { type PacketRoom, padBytes } from './packet-room.js';

/** The tag of AES_CM_128_HMAC_SHA1_80: of the digest the first 80 bits (RFC 3711, 4.2.1). */
export const tagBytes = 10;
const digestBytes = 20;

/** HMAC-SHA1 of what stands in the room behind its first `padBytes`, up to `end`. */
export interface PacketDigest {
  /** Whether this datagram has its tag there. */
  isTag(end: number, datagram: Buffer, at: number): boolean;
  writeTag(end: number, datagram: Buffer, at: number): void;
}

export function packetDigest(room: PacketRoom, authKey: Buffer): PacketDigest {
  return room.calls ? new CalledDigest(room, room.calls, authKey) : new NodeDigest(room, authKey);
}

function padded(authKey: Buffer, fill: number): Buffer {
  return Buffer.alloc(padBytes, fill).map((byte, at) => byte ^ (authKey[at] ?? 0)) as Buffer;
}

/** As with a cipher, an object of Node's for each packet costs more than what it computes: it is two plain hashes. */
class NodeDigest implements PacketDigest {
  readonly #room: PacketRoom;
  readonly #innerPad: Buffer;
  readonly #outer = Buffer.alloc(padBytes + digestBytes);

  constructor(room: PacketRoom, authKey: Buffer) {
    this.#room = room;
    this.#innerPad = padded(authKey, 0x36);
    padded(authKey, 0x5c).copy(this.#outer);
  }

  isTag(end: number, datagram: Buffer, at: number): boolean {
    return this.#of(end).startsWith(datagram.toString('latin1', at, at + tagBytes));
  }

  writeTag(end: number, datagram: Buffer, at: number): void {
    datagram.write(this.#of(end), at, tagBytes, 'latin1');
  }

  /** A character for each byte. */
  #of(end: number): string {
    const { bytes } = this.#room;
    this.#innerPad.copy(bytes);
    this.#outer.write(hash('sha1', bytes.subarray(0, end), 'binary'), padBytes, digestBytes, 'latin1');
    return hash('sha1', this.#outer, 'binary');
  }
}

interface Scratch {
  readonly state: ForeignMemory;
  readonly digest: ForeignMemory;
}
const scratches = new WeakMap<CryptoCalls, Scratch>();

/** What the padded key makes of the hash is computed once. */
class CalledDigest implements PacketDigest {
  readonly #calls: CryptoCalls;
  readonly #packetAt: number;
  readonly #scratch: Scratch;
  readonly #inner: Uint32Array;
  readonly #outer: Uint32Array;

  constructor(room: PacketRoom, calls: CryptoCalls, authKey: Buffer) {
    this.#calls = calls;
    this.#packetAt = room.address + padBytes;
    this.#scratch = scratches.get(calls) ?? { state: calls.memory(shaStateBytes), digest: calls.memory(padBytes) };
    scratches.set(calls, this.#scratch);
    this.#inner = this.#begun(padded(authKey, 0x36));
    this.#outer = this.#begun(padded(authKey, 0x5c));
  }

  #begun(block: Buffer): Uint32Array {
    const { state, digest } = this.#scratch;
    block.copy(digest.bytes);
    this.#calls.shaInit(state.address);
    this.#calls.shaUpdate(state.address, digest.address, padBytes);
    return state.words.slice();
  }

  isTag(end: number, datagram: Buffer, at: number): boolean {
    const digest = this.#of(end);
    let differs = 0;
    for (let byte = 0; byte < tagBytes; byte += 1) differs |= (digest[byte] ?? 0) ^ (datagram[at + byte] ?? 0);
    return differs === 0;
  }

  writeTag(end: number, datagram: Buffer, at: number): void {
    const digest = this.#of(end);
    for (let byte = 0; byte < tagBytes; byte += 1) datagram[at + byte] = digest[byte] ?? 0;
  }

  #of(end: number): Buffer {
    const { shaUpdate, shaFinal } = this.#calls;
    const { state, digest } = this.#scratch;
    state.words.set(this.#inner);
    shaUpdate(state.address, this.#packetAt, end - padBytes);
    shaFinal(digest.address, state.address);
    state.words.set(this.#outer);
    shaUpdate(state.address, digest.address, digestBytes);
    shaFinal(digest.address, state.address);
    return digest.bytes;
  }
}
