import { payloadStart, type RtpPacket, readFixedFields } from '../../rtp/rtp.js';

const nothing = Buffer.alloc(0);

/** A packet in its receive memory, read anew for each: no object is made of it, nor of an unread payload. */
export class ReceivedPacket implements RtpPacket {
  payloadType = 0;
  marker = false;
  padding = false;
  sequenceNumber = 0;
  timestamp = 0;
  ssrc = 0;
  payloadBytes = 0;
  /** What it is in, and where it ends there. */
  bytes: Buffer = nothing;
  end = 0;

  /** Returns whether it is a whole RTP packet. */
  read(bytes: Buffer, end: number): boolean {
    const at = payloadStart(bytes, end);
    if (at === undefined) return false;
    readFixedFields(bytes, this);
    this.payloadBytes = end - at;
    this.bytes = bytes;
    this.end = end;
    return true;
  }

  get payload(): Buffer {
    return this.bytes.subarray(this.end - this.payloadBytes, this.end);
  }
}
