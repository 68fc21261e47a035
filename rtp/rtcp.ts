/** RTCP (RFC 3550 6, RFC 4585, RFC 5104, draft-alvestrand-rmcat-remb): what is read and what is written. */
import { readTransportFeedback, type TransportFeedback } from './transport-feedback.js';

export interface ReportBlock {
  readonly ssrc: number;
  /** In 1/256. */
  readonly fractionLost: number;
  readonly cumulativeLost: number;
  readonly highestSequenceNumber: number;
  /** In timestamp units. */
  readonly jitter: number;
  /** Middle 32 bits of the NTP time of the last sender report; zero when none came. */
  readonly lastSenderReport: number;
  /** In 1/65536 s. */
  readonly delaySinceLastSenderReport: number;
}

export type RtcpMessage =
  | {
      readonly type: 'sender-report';
      readonly ssrc: number;
      readonly ntpSeconds: number;
      readonly ntpFraction: number;
      readonly rtpTimestamp: number;
      readonly reports: readonly ReportBlock[];
    }
  | { readonly type: 'receiver-report'; readonly ssrc: number; readonly reports: readonly ReportBlock[] }
  | { readonly type: 'nack'; readonly mediaSsrc: number; readonly sequenceNumbers: readonly number[] }
  | { readonly type: 'key-frame-request'; readonly mediaSsrc: number; readonly form: 'pli' | 'fir' }
  | { readonly type: 'remb'; readonly bitrateBps: number; readonly ssrcs: readonly number[] }
  | TransportFeedback
  | { readonly type: 'bye'; readonly ssrc: number };

/** Reads a decrypted compound packet. Parts that are malformed or not of interest are skipped. */
export function readRtcp(compound: Buffer): RtcpMessage[] {
  const messages: RtcpMessage[] = [];
  for (let offset = 0; offset + 8 <= compound.length; ) {
    const length = (compound.readUInt16BE(offset + 2) + 1) * 4;
    if (offset + length > compound.length) break;
    const message = readOne(compound.subarray(offset, offset + length));
    if (message !== undefined) messages.push(message);
    offset += length;
  }
  return messages;
}

function readOne(packet: Buffer): RtcpMessage | undefined {
  if (packet.length < 8) return undefined;
  const count = (packet[0] ?? 0) & 0x1f;
  const ssrc = packet.readUInt32BE(4);
  switch (packet[1]) {
    case 200:
      return packet.length < 28 ? undefined : readSenderReport(packet, ssrc, count);
    case 201:
      return { type: 'receiver-report', ssrc, reports: readReports(packet, 8, count) };
    case 203:
      return { type: 'bye', ssrc };
    case 205:
      if (count === 15) return readTransportFeedback(packet);
      return count === 1 && packet.length >= 16 ? readNack(packet) : undefined;
    case 206:
      return packet.length < 12 ? undefined : readPayloadFeedback(packet, count);
    default:
      return undefined;
  }
}

function readSenderReport(packet: Buffer, ssrc: number, count: number): RtcpMessage {
  return {
    type: 'sender-report',
    ssrc,
    ntpSeconds: packet.readUInt32BE(8),
    ntpFraction: packet.readUInt32BE(12),
    rtpTimestamp: packet.readUInt32BE(16),
    reports: readReports(packet, 28, count),
  };
}

function readReports(packet: Buffer, start: number, count: number): ReportBlock[] {
  const reports: ReportBlock[] = [];
  for (let at = start; reports.length < count && at + 24 <= packet.length; at += 24) {
    reports.push({
      ssrc: packet.readUInt32BE(at),
      fractionLost: packet.readUInt8(at + 4),
      cumulativeLost: packet.readIntBE(at + 5, 3),
      highestSequenceNumber: packet.readUInt32BE(at + 8),
      jitter: packet.readUInt32BE(at + 12),
      lastSenderReport: packet.readUInt32BE(at + 16),
      delaySinceLastSenderReport: packet.readUInt32BE(at + 20),
    });
  }
  return reports;
}

function readNack(packet: Buffer): RtcpMessage {
  const sequenceNumbers: number[] = [];
  for (let at = 12; at + 4 <= packet.length; at += 4) {
    const first = packet.readUInt16BE(at);
    const following = packet.readUInt16BE(at + 2);
    sequenceNumbers.push(first);
    for (let bit = 0; bit < 16; bit += 1) {
      if ((following & (1 << bit)) !== 0) sequenceNumbers.push((first + bit + 1) & 0xffff);
    }
  }
  return { type: 'nack', mediaSsrc: packet.readUInt32BE(8), sequenceNumbers };
}

function readPayloadFeedback(packet: Buffer, format: number): RtcpMessage | undefined {
  const mediaSsrc = packet.readUInt32BE(8);
  if (format === 1) return { type: 'key-frame-request', mediaSsrc, form: 'pli' };
  if (format === 4 && packet.length >= 20) {
    return { type: 'key-frame-request', mediaSsrc: packet.readUInt32BE(12), form: 'fir' };
  }
  if (format !== 15 || packet.length < 20 || packet.toString('latin1', 12, 16) !== 'REMB') return undefined;
  const ssrcs: number[] = [];
  for (let at = 20; ssrcs.length < packet.readUInt8(16) && at + 4 <= packet.length; at += 4) {
    ssrcs.push(packet.readUInt32BE(at));
  }
  const exponent = packet.readUInt8(17) >> 2;
  const mantissa = packet.readUIntBE(17, 3) & 0x3ffff;
  return { type: 'remb', bitrateBps: mantissa * 2 ** exponent, ssrcs };
}

function start(count: number, packetType: number, bytes: number): Buffer {
  const packet = Buffer.alloc(bytes);
  packet[0] = 0x80 | count;
  packet[1] = packetType;
  packet.writeUInt16BE(bytes / 4 - 1, 2);
  return packet;
}

function writeReports(packet: Buffer, offset: number, reports: readonly ReportBlock[]): void {
  reports.forEach((report, index) => {
    const at = offset + index * 24;
    packet.writeUInt32BE(report.ssrc, at);
    packet.writeUInt8(report.fractionLost, at + 4);
    packet.writeIntBE(Math.max(-0x800000, Math.min(0x7fffff, report.cumulativeLost)), at + 5, 3);
    packet.writeUInt32BE(report.highestSequenceNumber >>> 0, at + 8);
    packet.writeUInt32BE(report.jitter >>> 0, at + 12);
    packet.writeUInt32BE(report.lastSenderReport >>> 0, at + 16);
    packet.writeUInt32BE(report.delaySinceLastSenderReport >>> 0, at + 20);
  });
}

export interface SenderReport {
  readonly ssrc: number;
  readonly ntpSeconds: number;
  readonly ntpFraction: number;
  readonly rtpTimestamp: number;
  readonly packets: number;
  readonly octets: number;
}

export function writeSenderReport(report: SenderReport, reports: readonly ReportBlock[]): Buffer {
  const packet = start(reports.length, 200, 28 + reports.length * 24);
  packet.writeUInt32BE(report.ssrc, 4);
  packet.writeUInt32BE(report.ntpSeconds, 8);
  packet.writeUInt32BE(report.ntpFraction, 12);
  packet.writeUInt32BE(report.rtpTimestamp, 16);
  packet.writeUInt32BE(report.packets >>> 0, 20);
  packet.writeUInt32BE(report.octets >>> 0, 24);
  writeReports(packet, 28, reports);
  return packet;
}

export function writeReceiverReport(ssrc: number, reports: readonly ReportBlock[]): Buffer {
  const packet = start(reports.length, 201, 8 + reports.length * 24);
  packet.writeUInt32BE(ssrc, 4);
  writeReports(packet, 8, reports);
  return packet;
}

/** Source description with the one item every compound packet must carry: CNAME (RFC 3550 6.5.1). */
export function writeSourceDescription(ssrcs: readonly number[], cname: string): Buffer {
  const name = Buffer.from(cname, 'latin1');
  // SSRC, item type and length, the name, and at least one zero byte up to the next word.
  const chunkBytes = Math.ceil((4 + 2 + name.length + 1) / 4) * 4;
  const packet = start(ssrcs.length, 202, 4 + ssrcs.length * chunkBytes);
  ssrcs.forEach((ssrc, index) => {
    const at = 4 + index * chunkBytes;
    packet.writeUInt32BE(ssrc, at);
    packet[at + 4] = 1;
    packet[at + 5] = name.length;
    name.copy(packet, at + 6);
  });
  return packet;
}

/** `sequenceNumbers` ascending on the circle. */
export function writeNack(senderSsrc: number, mediaSsrc: number, sequenceNumbers: readonly number[]): Buffer {
  const items: { first: number; following: number }[] = [];
  for (const sequenceNumber of sequenceNumbers) {
    const last = items.at(-1);
    const distance = last === undefined ? 0 : (sequenceNumber - last.first) & 0xffff;
    if (last !== undefined && distance >= 1 && distance <= 16) last.following |= 1 << (distance - 1);
    else items.push({ first: sequenceNumber, following: 0 });
  }
  const packet = start(1, 205, 12 + items.length * 4);
  packet.writeUInt32BE(senderSsrc, 4);
  packet.writeUInt32BE(mediaSsrc, 8);
  items.forEach((item, index) => {
    packet.writeUInt16BE(item.first, 12 + index * 4);
    packet.writeUInt16BE(item.following, 14 + index * 4);
  });
  return packet;
}

export function writePictureLossIndication(senderSsrc: number, mediaSsrc: number): Buffer {
  const packet = start(1, 206, 12);
  packet.writeUInt32BE(senderSsrc, 4);
  packet.writeUInt32BE(mediaSsrc, 8);
  return packet;
}

/** What all of these streams together may have; of more than 255 the first are named. */
export function writeRemb(senderSsrc: number, bitrateBps: number, ...mediaSsrcs: readonly number[]): Buffer {
  const ssrcs = mediaSsrcs.slice(0, 255);
  const packet = start(15, 206, 20 + 4 * ssrcs.length);
  packet.writeUInt32BE(senderSsrc, 4);
  packet.write('REMB', 12, 'latin1');
  packet[16] = ssrcs.length;
  let exponent = 0;
  let mantissa = Math.floor(bitrateBps);
  while (mantissa > 0x3ffff) {
    mantissa = Math.floor(mantissa / 2);
    exponent += 1;
  }
  packet.writeUIntBE((exponent << 18) | mantissa, 17, 3);
  ssrcs.forEach((ssrc, index) => {
    packet.writeUInt32BE(ssrc, 20 + 4 * index);
  });
  return packet;
}
