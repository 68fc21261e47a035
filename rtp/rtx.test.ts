import { expect, test } from '@playwright/test';
import { ResendAsRtx } from '../embedded-server/media/resending.js';
import { leavingPacket, type OutgoingPacket, payloadOf } from './outgoing-packet.js';
import { type RtpPacket, readRtp, writeRtpHeader } from './rtp.js';
import { originalOf, repairedBy } from './rtx.js';
import type { OfferedCodec } from './sdp.js';

function sent(sequenceNumber: number, payload: string, payloadType = 96): OutgoingPacket {
  const packet = leavingPacket(0x11111111, { absSendTimeId: undefined });
  Object.assign(packet.header, { payloadType, marker: true, sequenceNumber, timestamp: 0x01020304, nowMs: 1000 });
  return { ...packet, body: Buffer.from(payload, 'hex') };
}

function rig(start: number) {
  const packets: { readonly bytes: string; readonly index: number }[] = [];
  const resending = new ResendAsRtx({
    ssrc: 0x22222222,
    payloadTypes: new Map([[96, 97]]),
    extensions: { absSendTimeId: undefined },
    transmit: (packet) =>
      packets.push({
        bytes: Buffer.concat([writeRtpHeader(packet.header), payloadOf(packet)]).toString('hex'),
        index: packet.rollover * 65_536 + packet.header.sequenceNumber,
      }),
    start,
  });
  return { resending, packets };
}

test('a packet is resent on the RTX stream: its own number, SSRC and type, the time of the frame, then the first number', () => {
  const { resending, packets } = rig(0x1234);
  resending.keep(sent(0xabcd, 'c0ffee'));
  resending.resend(0xabcd, 1050);
  // V=2, marker and type 97; number 1234; timestamp; SSRC; original sequence number; original payload (RFC 4588, 4).
  expect(packets.map(({ bytes }) => bytes)).toEqual([['80e11234', '01020304', '22222222', 'abcd', 'c0ffee'].join('')]);
});

test('each time it is resent it has a new number, across the wrap: a cipher may never see one twice', () => {
  const { resending, packets } = rig(65_535);
  resending.keep(sent(7, 'aa'));
  for (const nowMs of [1050, 1055, 1100, 1200]) resending.resend(7, nowMs);
  expect(packets.map(({ index }) => index)).toEqual([65_535, 65_536, 65_537]);
});

test('what is unknown, too old, or of a type without RTX is not resent', () => {
  const { resending, packets } = rig(0);
  resending.keep(sent(7, 'aa'));
  resending.keep(sent(8, 'aa', 100));
  resending.resend(6, 1050);
  resending.resend(7, 2100);
  resending.resend(8, 1050);
  expect(packets).toEqual([]);
});

const rtx = (payload: string, first = '80'): RtpPacket =>
  readRtp(Buffer.from(`${first}6105dc0102030422222222${payload}`, 'hex')) as RtpPacket;

test('what an RTX packet carries is read back with the SSRC, type and number that it had', () => {
  const original = originalOf(rtx('abcdc0ffee'), 0x11111111, 96);
  expect(original).toMatchObject({ ssrc: 0x11111111, payloadType: 96, sequenceNumber: 0xabcd, timestamp: 0x01020304 });
  expect(original?.payload.toString('hex')).toBe('c0ffee');
});

test('RTX packets that carry nothing, as senders fill up with to look for bandwidth, are no packets again', () => {
  expect(originalOf(rtx('abcd'), 1, 96)).toBeUndefined();
  expect(originalOf(rtx(''), 1, 96)).toBeUndefined();
  expect(originalOf(rtx('0000000000000008', 'a0'), 1, 96), 'padding alone').toBeUndefined();
  expect(originalOf(rtx('abcdc0ffee000003', 'a0'), 1, 96)?.payload.toString('hex')).toBe('c0ffee000003');
});

test('RTX names the payload type that it repairs', () => {
  const codec = (name: string, fmtp?: string): OfferedCodec =>
    ({ name, fmtp, payloadType: 97, clockRate: 90_000, rtpmap: '', feedback: [] }) as OfferedCodec;
  expect(repairedBy(codec('rtx', 'apt=96'))).toBe(96);
  expect(repairedBy(codec('RTX', 'rtx-time=1000; apt=102'))).toBe(102);
  expect(repairedBy(codec('rtx'))).toBeUndefined();
  expect(repairedBy(codec('VP8', 'apt=96'))).toBeUndefined();
});
