import { isPadded, payloadStart, type RtpPacket } from '../../embedded-server/media/rtp.js';

const nothing = Buffer.alloc(0);

/** A packet in the memory that it was received in, read anew for each: no object is made of one, nor of its payload unless that is asked for. */
export class ReceivedPacket implements RtpPacket {
  payloadType = 0;
  marker = false;
  padding = false;
  sequenceNumber = 0;
  timestamp = 0;
  ssrc = 0;
  payloadBytes = 0;
  #bytes: Buffer = nothing;
  #end = 0;

  /** Returns whether it is a whole RTP packet. */
  read(bytes: Buffer, end: number): boolean {
    const at = payloadStart(bytes, end);
    if (at === undefined) return false;
    const second = bytes[1] ?? 0;
    this.payloadType = second & 0x7f;
    this.marker = (second & 0x80) !== 0;
    this.padding = isPadded(bytes);
    this.sequenceNumber = bytes.readUInt16BE(2);
    this.timestamp = bytes.readUInt32BE(4);
    this.ssrc = bytes.readUInt32BE(8);
    this.payloadBytes = end - at;
    this.#bytes = bytes;
    this.#end = end;
    return true;
  }

  get payload(): Buffer {
    return this.#bytes.subarray(this.#end - this.payloadBytes, this.#end);
  }
}
