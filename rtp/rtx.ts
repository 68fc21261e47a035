import type { RtpPacket } from './rtp.js';
import type { OfferedCodec } from './sdp.js';

/** The original sequence number stands before the original payload (RFC 4588, 4). */
const osnBytes = 2;

/** Payload of the packet that carries another one again. */
export function rtxPayload(sequenceNumber: number, payload: Buffer): Buffer {
  const out = Buffer.allocUnsafe(osnBytes + payload.length);
  out.writeUInt16BE(sequenceNumber, 0);
  payload.copy(out, osnBytes);
  return out;
}

/**
 * The packet that an RTX packet carries, with the SSRC and payload type that it had first. `undefined` for one that
 * carries none: a sender that looks for more bandwidth fills up with such.
 */
export function originalOf(packet: RtpPacket, ssrc: number, payloadType: number): RtpPacket | undefined {
  // The last byte of padding says how much of it there is (RFC 3550, 5.1).
  const paddingBytes = packet.padding ? (packet.payload.at(-1) ?? 0) : 0;
  if (packet.payload.length - paddingBytes <= osnBytes) return undefined;
  const sequenceNumber = packet.payload.readUInt16BE(0);
  return { ...packet, ssrc, payloadType, sequenceNumber, payload: packet.payload.subarray(osnBytes) };
}

/** The payload type whose packets this codec carries again (`apt`, RFC 4588, 8.6); `undefined` when it is no RTX. */
export function repairedBy(codec: OfferedCodec): number | undefined {
  if (codec.name.toLowerCase() !== 'rtx') return undefined;
  const apt = /(?:^|;)\s*apt=(\d+)/.exec(codec.fmtp ?? '')?.[1];
  return apt === undefined ? undefined : Number(apt);
}
