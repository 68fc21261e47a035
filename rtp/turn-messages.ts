const stunHeaderBytes = 20;
const channelHeaderBytes = 4;
const dataIndication = 0x0017;
/** Over a stream each message ends on a multiple of so many bytes (RFC 8656, 12.5). */
const alignedBytes = 4;

/** Channel data begins with a number from 0x4000 on (RFC 8656, 12). */
export const isChannelData = (message: Buffer): boolean =>
  message.length >= channelHeaderBytes && ((message[0] ?? 0) & 0xc0) === 0x40;

/** What a peer without a channel sent (RFC 8656, 11.6). */
export const isDataIndication = (message: Buffer): boolean =>
  message.length >= stunHeaderBytes && message.readUInt16BE(0) === dataIndication;

/** What of channel data is the peer's. */
export const channelPayload = (message: Buffer): Buffer =>
  message.subarray(channelHeaderBytes, channelHeaderBytes + message.readUInt16BE(2));

export function channelHeader(channel: number, bytes: number): Buffer {
  const header = Buffer.allocUnsafe(channelHeaderBytes);
  header.writeUInt16BE(channel, 0);
  header.writeUInt16BE(bytes, 2);
  return header;
}

const aligned = (bytes: number): number => Math.ceil(bytes / alignedBytes) * alignedBytes;
const padding = Buffer.alloc(alignedBytes);

/** What is to follow so many bytes over a stream. */
export const paddingAfter = (bytes: number): Buffer => padding.subarray(0, aligned(bytes) - bytes);

/** The messages of a TURN server out of a stream, in whatever pieces that comes. */
export class TurnMessages {
  private rest: Buffer = Buffer.alloc(0);

  /** Those that are whole now, without what aligns them. */
  push(piece: Buffer): readonly Buffer[] {
    this.rest = this.rest.length === 0 ? piece : Buffer.concat([this.rest, piece]);
    const whole: Buffer[] = [];
    while (this.rest.length >= channelHeaderBytes) {
      const header = isChannelData(this.rest) ? channelHeaderBytes : stunHeaderBytes;
      const bytes = header + this.rest.readUInt16BE(2);
      if (this.rest.length < aligned(bytes)) break;
      whole.push(this.rest.subarray(0, bytes));
      this.rest = this.rest.subarray(aligned(bytes));
    }
    return whole;
  }
}
