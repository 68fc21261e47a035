import { once } from '../host/once.js';
import { type CryptoCalls, cryptoCalls } from './crypto-calls.js';
import { keyStream } from './key-stream.js';
import { packetDigest, tagBytes } from './packet-digest.js';
import { type PacketRoom, padBytes, roomBytes } from './packet-room.js';

/** The one of this process. */
export const packetRoom = once(() => checkedRoom(cryptoCalls()));

/** These calls, if they make the same packets as Node and stay in their memory; else Node's ciphers and hashes. */
export function checkedRoom(calls: CryptoCalls | undefined): PacketRoom {
  const ofNode = roomOfNode();
  if (!calls) return ofNode;
  const called: PacketRoom = { ...calls.memory(roomBytes), calls };
  return isAlike(called, ofNode) && calls.areWhole() ? called : ofNode;
}

function roomOfNode(): PacketRoom {
  const words = new Uint32Array(roomBytes / 4);
  return { bytes: Buffer.from(words.buffer), words, address: 0 };
}

/** Of a header alone, of less and more than a block, of a usual packet, and of the longest. */
const lengths = [0, 1, 63, 64, 65, 1200, 65_400];
const headerBytes = 12;

/** Another libcrypto may mean other things by these functions: wrong packets would look like lost ones. */
function isAlike(one: PacketRoom, other: PacketRoom): boolean {
  return lengths.every((length) => made(one, length).equals(made(other, length)));
}

/** What a packet of such a length becomes, with its tag, and the key stream of what is read. */
function made(room: PacketRoom, length: number): Buffer {
  const pattern = (bytes: number, from: number): Buffer =>
    Buffer.from(Array.from({ length: bytes }, (_, at) => from + 7 * at));
  const place = { ssrc: 0xfedcba98, sequenceNumber: 0x1234, rollover: 0x56789abc };
  const stream = keyStream(room, pattern(16, 1), pattern(14, 2));
  const end = padBytes + headerBytes + length;
  room.bytes.fill(0);
  pattern(headerBytes + length, length).copy(room.bytes, padBytes);
  stream.cover(headerBytes, length, place);
  packetDigest(room, pattern(20, 3)).writeTag(end, room.bytes, end);
  const packet = Buffer.from(room.bytes.subarray(padBytes, end + tagBytes));
  return Buffer.concat([packet, Buffer.from(stream.of(length, place).subarray(0, length))]);
}
