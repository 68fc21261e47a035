import type { Writable } from '../model/writable.js';
import { type HeaderExtensions, type OutgoingHeader, rtpHeaderBytes } from './rtp.js';

/** A packet before it is protected. */
export interface OutgoingPacket {
  readonly header: OutgoingHeader;
  /** How often its numbers of 16 bits have wrapped. */
  readonly rollover: number;
  /** What stands before the body: so many bytes, four at most, as one number. */
  readonly head: number;
  readonly headBytes: number;
  readonly body: Uint8Array;
}

/** Writes head and body there. */
export function putPayload(out: Buffer, at: number, { head, headBytes, body }: OutgoingPacket): void {
  for (let nth = 0; nth < headBytes; nth += 1) out[at + nth] = head >>> (8 * (headBytes - 1 - nth));
  out.set(body, at + headBytes);
}

/** Head and body in one. */
export function payloadOf(packet: OutgoingPacket): Buffer {
  const payload = Buffer.allocUnsafe(packet.headBytes + packet.body.length);
  putPayload(payload, 0, packet);
  return payload;
}

export function packetBytes({ header, headBytes, body }: OutgoingPacket): number {
  return rtpHeaderBytes(header) + headBytes + body.length;
}

/** One for all packets that leave on a stream: no object is made for each. */
export interface LeavingPacket extends Writable<OutgoingPacket> {
  readonly header: Writable<OutgoingHeader>;
}

const nothing = new Uint8Array();

export function leavingPacket(ssrc: number, { absSendTimeId, transportNumberId }: HeaderExtensions): LeavingPacket {
  const fixed = { payloadType: 0, marker: false, padding: false, sequenceNumber: 0, timestamp: 0 };
  const header = { ssrc, ...fixed, absSendTimeId, transportNumberId, transportNumber: 0, nowMs: 0 };
  return { header, rollover: 0, head: 0, headBytes: 0, body: nothing };
}
