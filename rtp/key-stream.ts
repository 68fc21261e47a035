import { createCipheriv } from 'node:crypto';
import type { ForeignMemory } from '../host/foreign-calls.js';
import { besideCalls, type CryptoCalls } from './crypto-calls.js';
import { datagramBytesMax, type PacketRoom, padBytes } from './packet-room.js';

export const blockBytes = 16;

/** Which packet a key stream is for. */
export interface PacketPlace {
  readonly ssrc: number;
  readonly sequenceNumber: number;
  /** The rollover counter. */
  readonly rollover: number;
}

/** The key stream of AES in counter mode (RFC 3711 4.1.1) of one direction. */
export interface KeyStream {
  /** The first bytes of it from this block on, or more, in memory that the next call writes over. */
  of(bytes: number, place: PacketPlace, fromBlock?: number): Uint8Array;
  /** Put over so many bytes of the packet in the room; they begin so far into it, at a whole word. */
  cover(at: number, bytes: number, place: PacketPlace): void;
}

/** @param key 16 bytes @param salt 14 bytes */
export function keyStream(room: PacketRoom, key: Buffer, salt: Buffer): KeyStream {
  return room.calls ? new CalledKeyStream(room, room.calls, key, salt) : new NodeKeyStream(room, key, salt);
}

/** The first counter of a packet. */
function writeCounter(to: Buffer, salt: Buffer, { ssrc, sequenceNumber, rollover }: PacketPlace): void {
  salt.copy(to);
  to.writeUInt32BE((to.readUInt32BE(4) ^ ssrc) >>> 0, 4);
  to.writeUInt32BE((to.readUInt32BE(8) ^ rollover) >>> 0, 8);
  to.writeUInt16BE(to.readUInt16BE(12) ^ sequenceNumber, 12);
  to[14] = 0;
  to[15] = 0;
}

/** The counters of so many blocks, from the first one of the packet, which is written, or from a later one. */
function countOn(bytes: Buffer, words: Uint32Array, blocks: number, from: number): void {
  bytes[14] = from >> 8;
  bytes[15] = from;
  const [a = 0, b = 0, c = 0, d = 0] = words;
  for (let block = 1, at = 4; block < blocks; block += 1, at += 4) {
    words[at] = a;
    words[at + 1] = b;
    words[at + 2] = c;
    words[at + 3] = d;
    bytes[block * blockBytes + 14] = (from + block) >> 8;
    bytes[block * blockBytes + 15] = from + block;
  }
}

// Written anew for each packet, of whatever session: nothing stays in them from one call to the next.
const counterWords = new Uint32Array(datagramBytesMax / 4);
const counters = Buffer.from(counterWords.buffer);

/**
 * Node makes an object for each cipher, which costs more than what it computes once it is collected. Here one lasts for
 * the session: it encrypts counters, and what it gives is the key stream.
 */
class NodeKeyStream implements KeyStream {
  readonly #room: PacketRoom;
  readonly #cipher;
  readonly #salt = Buffer.alloc(blockBytes);

  constructor(room: PacketRoom, key: Buffer, salt: Buffer) {
    this.#room = room;
    this.#cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false);
    salt.copy(this.#salt);
  }

  of(bytes: number, place: PacketPlace, fromBlock = 0): Uint8Array {
    const blocks = Math.ceil(bytes / blockBytes);
    writeCounter(counters, this.#salt, place);
    countOn(counters, counterWords, blocks, fromBlock);
    return this.#cipher.update(counters.subarray(0, blocks * blockBytes));
  }

  cover(at: number, bytes: number, place: PacketPlace): void {
    const stream = this.of(bytes, place);
    const mask = new Uint32Array(stream.buffer, stream.byteOffset, stream.length / 4);
    const { words } = this.#room;
    const first = (padBytes + at) / 4;
    // The last word may reach past the bytes: nothing is there yet.
    for (let word = 0; word < bytes / 4; word += 1)
      words[first + word] = (words[first + word] ?? 0) ^ (mask[word] ?? 0);
  }
}

/** What its ciphers keep of a session is given back when nobody has the session any more. */
const ciphers = new FinalizationRegistry<{ readonly calls: CryptoCalls; readonly made: readonly number[] }>(
  ({ calls, made }) => {
    for (const cipher of made) calls.cipherFree(cipher);
  },
);

interface Scratch {
  /** Counters, or the one that a packet begins with. */
  readonly counters: ForeignMemory;
  readonly stream: ForeignMemory;
  /** Where a cipher tells how much it has written, and a key is told to it. */
  readonly word: ForeignMemory;
}

const scratchOf = besideCalls(
  (calls): Scratch => ({
    counters: calls.memory(datagramBytesMax),
    stream: calls.memory(datagramBytesMax),
    word: calls.memory(blockBytes),
  }),
);

class CalledKeyStream implements KeyStream {
  readonly #calls: CryptoCalls;
  readonly #packetAt: number;
  readonly #scratch: Scratch;
  readonly #salt = Buffer.alloc(blockBytes);
  readonly #blocks: number;
  readonly #counter: number;

  constructor(room: PacketRoom, calls: CryptoCalls, key: Buffer, salt: Buffer) {
    this.#calls = calls;
    this.#packetAt = room.address + padBytes;
    this.#scratch = scratchOf(calls);
    salt.copy(this.#salt);
    const { word, counters: first } = this.#scratch;
    key.copy(word.bytes);
    [this.#blocks, this.#counter] = [calls.cipherNew(), calls.cipherNew()];
    ciphers.register(this, { calls, made: [this.#blocks, this.#counter] });
    const begun = [
      calls.cipherInit(this.#blocks, calls.blocks, 0, word.address, 0),
      calls.cipherInit(this.#counter, calls.counter, 0, word.address, first.address),
    ];
    word.bytes.fill(0);
    if (begun.some((done) => done !== 1)) throw new Error('libcrypto makes no cipher of AES with 128 bits');
  }

  of(bytes: number, place: PacketPlace, fromBlock = 0): Uint8Array {
    const { counters: from, stream, word } = this.#scratch;
    const blocks = Math.ceil(bytes / blockBytes);
    writeCounter(from.bytes, this.#salt, place);
    countOn(from.bytes, from.words, blocks, fromBlock);
    this.#calls.cipherUpdate(this.#blocks, stream.address, word.address, from.address, blocks * blockBytes);
    return stream.bytes;
  }

  cover(at: number, bytes: number, place: PacketPlace): void {
    const { cipherInit, cipherUpdate } = this.#calls;
    const { counters: first, word } = this.#scratch;
    writeCounter(first.bytes, this.#salt, place);
    cipherInit(this.#counter, 0, 0, 0, first.address);
    cipherUpdate(this.#counter, this.#packetAt + at, word.address, this.#packetAt + at, bytes);
  }
}
