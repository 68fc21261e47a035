import type { Writable } from '../model/writable.js';

/** RTP packets as the forwarder sees them (RFC 3550 5.1): fixed fields and a view of the payload, never a copy. */
export interface RtpPacket {
  readonly payloadType: number;
  readonly marker: boolean;
  /** The P bit; the padding itself stays at the end of `payload`. */
  readonly padding: boolean;
  readonly sequenceNumber: number;
  readonly timestamp: number;
  readonly ssrc: number;
  readonly payload: Buffer;
}

/** Reads a decrypted packet; `undefined` when it is no whole RTP packet. */
export function readRtp(packet: Buffer): RtpPacket | undefined {
  const offset = payloadStart(packet, packet.length);
  if (offset === undefined) return undefined;
  const payload = packet.subarray(offset);
  const read = { payloadType: 0, marker: false, padding: false, sequenceNumber: 0, timestamp: 0, ssrc: 0, payload };
  readFixedFields(packet, read);
  return read;
}

/** Reads what stands at the front of a whole RTP packet. */
export function readFixedFields(packet: Buffer, to: Writable<Omit<RtpPacket, 'payload'>>): void {
  const second = packet[1] ?? 0;
  to.payloadType = second & 0x7f;
  to.marker = (second & 0x80) !== 0;
  to.padding = isPadded(packet);
  to.sequenceNumber = packet.readUInt16BE(2);
  to.timestamp = packet.readUInt32BE(4);
  to.ssrc = packet.readUInt32BE(8);
}

/** The P bit (RFC 3550 5.1): the length of padding stands in the last byte. */
export function isPadded(packet: Buffer): boolean {
  return ((packet[0] ?? 0) & 0x20) !== 0;
}

/** Where the payload of a packet that ends at `end` begins (RFC 3550 5.1, 5.3.1); `undefined` if not whole RTP. */
export function payloadStart(packet: Buffer, end: number): number | undefined {
  const first = packet[0] ?? 0;
  let at = 12 + (first & 0x0f) * 4;
  if (first >> 6 !== 2 || end < at) return undefined;
  if ((first & 0x10) !== 0) {
    if (end < at + 4) return undefined;
    at += 4 + packet.readUInt16BE(at + 2) * 4;
  }
  return at <= end ? at : undefined;
}

/** Signed distance from `from` to `to` on the 16-bit circle, -32768 to 32767. */
export function sequenceDistance(from: number, to: number): number {
  return ((to - from) << 16) >> 16;
}

/** Signed distance from `from` to `to` on the 32-bit circle. */
export function timestampDistance(from: number, to: number): number {
  return (to - from) | 0;
}

/** Identifiers of what the headers of a stream have a place for (RFC 8285). */
export interface HeaderExtensions {
  readonly absSendTimeId: number | undefined;
  /** Of the place for a transport-wide number, in place of abs-send-time. */
  readonly transportNumberId?: number | undefined;
}

/** Header of an outgoing stream: 12 bytes; with extensions 4 for all and those of each (RFC 8285 one-byte form). */
export interface OutgoingHeader extends HeaderExtensions {
  readonly ssrc: number;
  readonly payloadType: number;
  readonly marker: boolean;
  readonly padding: boolean;
  readonly sequenceNumber: number;
  readonly timestamp: number;
  /** The transport-wide number, told when the packet leaves. */
  readonly transportNumber?: number | undefined;
  /** Elements that name the stream, as `textElements` makes them. */
  readonly names?: Uint8Array | undefined;
  readonly nowMs: number;
}

/** Elements of header extensions that are texts of 16 characters at most, in whole words (RFC 8285, 4.2; RFC 7941). */
export function textElements(texts: readonly (readonly [id: number, text: string])[]): Uint8Array {
  const bytes = texts.flatMap(([id, text]) => [(id << 4) | (text.length - 1), ...Buffer.from(text, 'latin1')]);
  const padded = new Uint8Array(4 * Math.ceil(bytes.length / 4));
  padded.set(bytes);
  return padded;
}

const extensionAt = 12;
/** Behind it stands how many words follow. */
const oneByteForm = 0xbede0000;

export function writeRtpHeader(header: OutgoingHeader): Buffer {
  const out = Buffer.allocUnsafe(rtpHeaderBytes(header));
  putRtpHeader(out, 0, header);
  return out;
}

export function rtpHeaderBytes({ absSendTimeId, transportNumberId, names }: OutgoingHeader): number {
  const timed = absSendTimeId !== undefined || transportNumberId !== undefined ? 4 : 0;
  const named = names?.length ?? 0;
  return timed + named === 0 ? extensionAt : extensionAt + 4 + timed + named;
}

/** Writes it there. */
export function putRtpHeader(out: Buffer, at: number, header: OutgoingHeader): void {
  const { absSendTimeId, transportNumberId, names } = header;
  const bytes = rtpHeaderBytes(header);
  const extended = bytes > extensionAt;
  out[at] = 0x80 | (header.padding ? 0x20 : 0) | (extended ? 0x10 : 0);
  out[at + 1] = (header.marker ? 0x80 : 0) | header.payloadType;
  out.writeUInt16BE(header.sequenceNumber, at + 2);
  out.writeUInt32BE(header.timestamp, at + 4);
  out.writeUInt32BE(header.ssrc, at + 8);
  if (!extended) return;
  out.writeUInt32BE(oneByteForm + (bytes - extensionAt) / 4 - 1, at + extensionAt);
  if (names) out.set(names, at + bytes - names.length);
  const isNumbered = transportNumberId !== undefined;
  if (!isNumbered && absSendTimeId === undefined) return;
  out[at + 16] = isNumbered ? (transportNumberId << 4) | 1 : ((absSendTimeId ?? 0) << 4) | 2;
  // A byte of padding follows the number. The time has 24 bits, seconds in 6.18 fixed point (webrtc.org abs-send-time).
  const value = isNumbered
    ? (header.transportNumber ?? 0) << 8
    : Math.floor(((header.nowMs % 64_000) / 1000) * 262_144);
  out[at + 17] = value >> 16;
  out[at + 18] = value >> 8;
  out[at + 19] = value;
}

/** The transport-wide number of a whole packet; `undefined` where it has none under this identifier. */
export function readTransportNumber(packet: Buffer, id: number): number | undefined {
  const at = elementAt(packet, packet.length, id);
  return at === undefined || ((packet[at] ?? 0) & 0x0f) !== 1 ? undefined : packet.readUInt16BE(at + 1);
}

/**
 * Where in a whole packet that ends at `end` the element of this identifier begins (RFC 8285, one-byte form): its first
 * byte has its length less one in the low bits, and its value follows. `undefined`: it has none.
 */
export function elementAt(packet: Buffer, end: number, id: number): number | undefined {
  const [first = 0] = packet;
  const start = extensionAt + (first & 0x0f) * 4;
  if ((first & 0x10) === 0 || end < start + 4 || packet.readUInt16BE(start) !== 0xbede) return undefined;
  const last = Math.min(end, start + 4 + packet.readUInt16BE(start + 2) * 4);
  for (let at = start + 4; at < last; ) {
    const head = packet[at] ?? 0;
    // A zero is padding.
    const bytes = head === 0 ? 1 : 2 + (head & 0x0f);
    if (head !== 0 && head >> 4 === id) return at + bytes <= last ? at : undefined;
    at += bytes;
  }
  return undefined;
}
