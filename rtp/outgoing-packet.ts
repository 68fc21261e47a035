import type { Writable } from '../model/writable.js';
import { type HeaderExtensions, type OutgoingHeader, rtpHeaderBytes } from './rtp.js';

/** A packet before it is protected. */
export interface OutgoingPacket {
  readonly header: OutgoingHeader;
  /** How often its numbers of 16 bits have wrapped. */
  readonly rollover: number;
  /** What stands before the body: so many bytes, six at most, as one number. */
  readonly head: number;
  readonly headBytes: number;
  readonly body: Uint8Array;
  /** What stands behind the body. */
  readonly tail: Uint8Array;
}

/** Writes head, body and tail there. */
export function putPayload(out: Buffer, at: number, { head, headBytes, body, tail }: OutgoingPacket): void {
  if (headBytes > 4) out.writeUIntBE(head, at, headBytes);
  else for (let nth = 0; nth < headBytes; nth += 1) out[at + nth] = head >>> (8 * (headBytes - 1 - nth));
  out.set(body, at + headBytes);
  if (tail.length > 0) out.set(tail, at + headBytes + body.length);
}

/** Head, body and tail. */
export function payloadBytesOf({ headBytes, body, tail }: OutgoingPacket): number {
  return headBytes + body.length + tail.length;
}

/** All of it in one. */
export function payloadOf(packet: OutgoingPacket): Buffer {
  const payload = Buffer.allocUnsafe(payloadBytesOf(packet));
  putPayload(payload, 0, packet);
  return payload;
}

export function packetBytes(packet: OutgoingPacket): number {
  return rtpHeaderBytes(packet.header) + payloadBytesOf(packet);
}

/** One for all packets that leave on a stream: no object is made for each. */
export interface LeavingPacket extends Writable<OutgoingPacket> {
  readonly header: Writable<OutgoingHeader>;
}

export const noBytes = new Uint8Array();

export function leavingPacket(ssrc: number, { absSendTimeId, transportNumberId }: HeaderExtensions): LeavingPacket {
  const fixed = { payloadType: 0, marker: false, padding: false, sequenceNumber: 0, timestamp: 0 };
  const header = { ssrc, ...fixed, absSendTimeId, transportNumberId, transportNumber: 0, names: undefined, nowMs: 0 };
  return { header, rollover: 0, head: 0, headBytes: 0, body: noBytes, tail: noBytes };
}
