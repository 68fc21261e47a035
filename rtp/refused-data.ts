// RFC 9260, 3.1, 3.3.2 and 3.3.7.
const headerBytes = 12;
const initType = 1;
const initTagAt = headerBytes + 4;
const abortType = 6;
const abortBytes = 4;

/** What is said to the first packet of an association, so that nobody waits for one (ABORT); undefined for any other. */
export function refusalOf(packet: Buffer): Buffer | undefined {
  if (packet.length < initTagAt + 4 || packet[headerBytes] !== initType) return undefined;
  const refusal = Buffer.alloc(headerBytes + abortBytes);
  packet.copy(refusal, 0, 2, 4);
  packet.copy(refusal, 2, 0, 2);
  packet.copy(refusal, 4, initTagAt, initTagAt + 4);
  refusal.writeUInt8(abortType, headerBytes);
  refusal.writeUInt16BE(abortBytes, headerBytes + 2);
  refusal.writeUInt32LE(checksum(refusal), 8);
  return refusal;
}

/** CRC32c of a packet whose own is still 0 (RFC 9260, appendix A). */
function checksum(packet: Buffer): number {
  let crc = ~0;
  for (const byte of packet) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0);
  }
  return ~crc >>> 0;
}
