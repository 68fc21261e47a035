import { hash } from 'node:crypto';
import type { ForeignMemory } from '../host/foreign-calls.js';
import { besideCalls, type CryptoCalls, shaStateBytes } from './crypto-calls.js';
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
  /** The second of the two hashes: a block for what the first one has given. */
  readonly block: ForeignMemory;
}

const scratchOf = besideCalls((calls): Scratch => {
  const block = calls.memory(padBytes);
  endHash(block.bytes, digestBytes, padBytes + digestBytes);
  return { state: calls.memory(shaStateBytes), block };
});

/** Appends the padding of a hashed message of so many bytes (sha(3); RFC 3174, 4). Returns where it ends. */
function endHash(bytes: Buffer, at: number, messageBytes: number): number {
  const lengthAt = at + ((2 * padBytes - 9 - (messageBytes % padBytes)) % padBytes) + 1;
  bytes[at] = 0x80;
  for (let zero = at + 1; zero < lengthAt + 4; zero += 1) bytes[zero] = 0;
  bytes.writeUInt32BE(messageBytes * 8, lengthAt + 4);
  return lengthAt + 8;
}

/** The padded key is hashed once and its state kept, so that a digest takes two calls. */
class CalledDigest implements PacketDigest {
  readonly #calls: CryptoCalls;
  readonly #room: PacketRoom;
  readonly #scratch: Scratch;
  readonly #inner: Uint32Array;
  readonly #outer: Uint32Array;

  constructor(room: PacketRoom, calls: CryptoCalls, authKey: Buffer) {
    this.#calls = calls;
    this.#room = room;
    this.#scratch = scratchOf(calls);
    this.#inner = this.#begun(padded(authKey, 0x36));
    this.#outer = this.#begun(padded(authKey, 0x5c));
  }

  /** The words of the state behind this block. */
  #begun(pad: Buffer): Uint32Array {
    const { state } = this.#scratch;
    const { address, bytes } = this.#room;
    pad.copy(bytes);
    this.#calls.shaInit(state.address);
    this.#calls.shaUpdate(state.address, address, padBytes);
    return state.words.slice(0, digestBytes / 4);
  }

  isTag(end: number, datagram: Buffer, at: number): boolean {
    const [first = 0, second = 0, third = 0] = this.#of(end);
    return (
      datagram.readUInt32BE(at) === first &&
      datagram.readUInt32BE(at + 4) === second &&
      datagram.readUInt16BE(at + 8) === third >>> 16
    );
  }

  writeTag(end: number, datagram: Buffer, at: number): void {
    const [first = 0, second = 0, third = 0] = this.#of(end);
    datagram.writeUInt32BE(first, at);
    datagram.writeUInt32BE(second, at + 4);
    datagram.writeUInt16BE(third >>> 16, at + 8);
  }

  /** In words, the first ones of those returned. */
  #of(end: number): Uint32Array {
    const { shaUpdate } = this.#calls;
    const { state, block } = this.#scratch;
    const { words } = state;
    const { address, bytes } = this.#room;
    const hashedEnd = endHash(bytes, end, end);
    this.#begin(this.#inner);
    shaUpdate(state.address, address + padBytes, hashedEnd - padBytes);
    for (let word = 0; word < digestBytes / 4; word += 1) block.bytes.writeUInt32BE(words[word] ?? 0, 4 * word);
    this.#begin(this.#outer);
    shaUpdate(state.address, block.address, padBytes);
    return words;
  }

  #begin(from: Uint32Array): void {
    const { words } = this.#scratch.state;
    for (let word = 0; word < digestBytes / 4; word += 1) words[word] = from[word] ?? 0;
  }
}
