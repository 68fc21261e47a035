import { expect, test } from '@playwright/test';
import {
  readRtcp,
  writeNack,
  writePictureLossIndication,
  writeReceiverReport,
  writeRemb,
  writeSenderReport,
  writeSourceDescription,
} from './rtcp.js';
import { readRtp, readTransportNumber, writeRtpHeader } from './rtp.js';

const block = {
  ssrc: 7,
  fractionLost: 51,
  cumulativeLost: -3,
  highestSequenceNumber: 70_000,
  jitter: 90,
  lastSenderReport: 0xdeadbeef,
  delaySinceLastSenderReport: 65_536,
};

test('what is written is read back, in one compound packet', () => {
  const report = { ssrc: 1, ntpSeconds: 3_900_000_000, ntpFraction: 2 ** 31, rtpTimestamp: 4_000_000_000 };
  const compound = Buffer.concat([
    writeSenderReport({ ...report, packets: 5, octets: 6 }, [block]),
    writeReceiverReport(2, [block]),
    writeSourceDescription([1, 2], 'user@host'),
    writeNack(1, 7, [65_534, 65_535, 0, 14, 15, 900]),
    writePictureLossIndication(1, 7),
    writeRemb(1, 500_000, 7),
  ]);
  expect(readRtcp(compound)).toEqual([
    { type: 'sender-report', ...report, reports: [block] },
    { type: 'receiver-report', ssrc: 2, reports: [block] },
    { type: 'nack', mediaSsrc: 7, sequenceNumbers: [65_534, 65_535, 0, 14, 15, 900] },
    { type: 'key-frame-request', mediaSsrc: 7, form: 'pli' },
    { type: 'remb', bitrateBps: 500_000, ssrcs: [7] },
  ]);
});

test('a REMB of 500 kbit/s has the bytes of the draft: exponent 1, mantissa 250000', () => {
  expect(writeRemb(1, 500_000, 7).subarray(16, 20).toString('hex')).toBe('0107d090');
});

test('a truncated packet ends the reading, it does not throw', () => {
  const whole = writeReceiverReport(2, [block]);
  for (let length = 0; length < whole.length; length += 1) expect(readRtcp(whole.subarray(0, length))).toEqual([]);
});

test('an RTP header is read back with its extension skipped, and abs-send-time is seconds in 6.18 fixed point', () => {
  const header = {
    ssrc: 0xfffffff0,
    payloadType: 96,
    marker: true,
    padding: false,
    sequenceNumber: 65_535,
    timestamp: 4_294_967_295,
    absSendTimeId: 2,
    nowMs: 64_000 * 10 + 1500,
  };
  const bytes = writeRtpHeader(header);
  expect(bytes.readUIntBE(17, 3) / 262_144).toBeCloseTo(1.5, 4);
  const packet = readRtp(Buffer.concat([bytes, Buffer.from('payload')]));
  expect(packet).toMatchObject({ ssrc: 0xfffffff0, payloadType: 96, marker: true, sequenceNumber: 65_535 });
  expect(String(packet?.payload)).toBe('payload');
  for (let length = 0; length < 20; length += 1) expect(readRtp(bytes.subarray(0, length))).toBeUndefined();
});

test('a transport-wide number is written into its place when the packet leaves, and found among other extensions', () => {
  const fields = { ssrc: 1, payloadType: 96, marker: false, padding: false, sequenceNumber: 2, timestamp: 3, nowMs: 0 };
  const numbered = { absSendTimeId: undefined, transportNumberId: 5, transportNumber: 0xabcd };
  const header = writeRtpHeader({ ...fields, ...numbered });
  // RFC 8285, 4.2: identifier 5, two bytes, the number, one byte of padding.
  expect(header.subarray(12).toString('hex')).toBe('bede000151abcd00');
  const packet = Buffer.concat([header, Buffer.from('payload')]);
  expect(String(readRtp(packet)?.payload)).toBe('payload');
  expect(readTransportNumber(packet, 5)).toBe(0xabcd);
  expect(readTransportNumber(packet, 4)).toBeUndefined();
  const behind = Buffer.concat([header.subarray(0, 12), Buffer.from('bede000322aabbcc0010ff5112340000', 'hex')]);
  expect(readTransportNumber(behind, 5)).toBe(0x1234);
  for (let length = 0; length < 26; length += 1)
    expect(readTransportNumber(behind.subarray(0, length), 5)).toBeUndefined();
  expect(readTransportNumber(writeRtpHeader({ ...fields, absSendTimeId: undefined }), 5)).toBeUndefined();
});
