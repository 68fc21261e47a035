/** The two low bits of a packet's first byte: how many frames it holds (RFC 6716, 3.1). */
const oneFrame = 0;
const anyNumber = 3;
/** The frame count byte of such a packet: one frame, with and without padding behind it (RFC 6716, 3.2.5). */
const justOne = 0x01;
const onePadded = 0x41;
/** A length byte of 255 stands for 254 bytes of padding, and another length byte follows. */
const longPadding = 254;

/**
 * Each of `packets` as the one of `light` in its place, filled up to its size with padding that a decoder leaves unread
 * (RFC 6716, 3.2.5). Where the light one is missing, larger, or of several frames, the packet itself stays.
 */
export function inPlaceOf(packets: readonly Uint8Array[], light: readonly Uint8Array[]): readonly Uint8Array[] {
  return packets.map((packet, index) => padded(light[index], packet.byteLength) ?? packet);
}

/** How many bytes at the end of an Opus packet no decoder reads. */
export function paddingBytes(packet: Uint8Array): number {
  if (((packet[0] ?? 0) & anyNumber) !== anyNumber || ((packet[1] ?? 0) & onePadded) < onePadded) return 0;
  let bytes = 0;
  for (let at = 2; at < packet.length; at += 1) {
    const length = packet[at] ?? 0;
    if (length < 255) return bytes + length;
    bytes += longPadding;
  }
  return 0;
}

/** The one frame of an Opus packet in a packet of `size` bytes; `undefined` where that cannot be. */
export function padded(packet: Uint8Array | undefined, size: number): Uint8Array | undefined {
  const toc = packet?.[0];
  if (packet === undefined || toc === undefined || (toc & 3) !== oneFrame || packet.byteLength > size) return undefined;
  const spare = size - packet.byteLength;
  if (spare === 0) return packet;
  const filled = new Uint8Array(size);
  filled.set([toc | anyNumber, spare === 1 ? justOne : onePadded]);
  let at = 2;
  // All that is spare but the count byte is length bytes and what they tell of.
  let left = spare - 1;
  while (left > longPadding + 1) {
    filled[at] = 255;
    at += 1;
    left -= 1 + longPadding;
  }
  if (left > 0) {
    filled[at] = left - 1;
    at += 1;
  }
  filled.set(packet.subarray(1), at);
  return filled;
}
