import { expect, test } from '@playwright/test';
import { fromNtp, toNtp } from '../../rtp/ntp.js';
import { type OutgoingPacket, payloadOf } from '../../rtp/outgoing-packet.js';
import { type RtpPacket, readRtp, writeRtpHeader } from '../../rtp/rtp.js';
import { ClockOffset } from './clock-offset.js';
import type { MediaOutput } from './ports.js';
import { ResendAsSent } from './resending.js';
import { SendStream } from './send-stream.js';

/** The beginning of a key frame (RFC 7741, 4.2), and of another frame. */
const keyFrame = Buffer.from([0x10, 0x00, 0x6b, 0x65, 0x79]);
const deltaFrame = Buffer.from([0x10, 0x01, 0x64, 0x65, 0x6c]);

/** Under one key the datagram is what stands in the packet and its rollover counter. */
const datagramOf = (packet: OutgoingPacket): Buffer =>
  Buffer.concat([writeRtpHeader(packet.header), payloadOf(packet), Buffer.of(packet.rollover)]);

function rig(mayResend = () => true) {
  const sent: RtpPacket[] = [];
  const datagrams: Buffer[] = [];
  const resent: Buffer[] = [];
  const refused: string[] = [];
  const stream = new SendStream({
    kind: 'video',
    ssrc: 77,
    clockRate: 90_000,
    payloadTypes: new Map([['vp8/90000', 120]]),
    extensions: { absSendTimeId: 2 },
    maxKbps: () => 500,
    transmit: (leaving) => {
      const packet = readRtp(datagramOf(leaving).subarray(0, -1));
      if (packet !== undefined) sent.push(packet);
      datagrams.push(datagramOf(leaving));
      return true;
    },
    resending: new ResendAsSent(77, { absSendTimeId: 2 }, (again) => resent.push(datagramOf(again))),
    mayResend,
    onCodecRefused: (codec) => refused.push(codec),
  });
  return { stream, sent, datagrams, resent, refused };
}

const source = (timestampAt: (nowMs: number) => number | undefined, asked: string[] = []): MediaOutput => ({
  kind: 'video',
  attach: () => {},
  detach: () => {},
  requestKeyFrame: () => asked.push('key frame'),
  timestampAt,
});

const packet = (sequenceNumber: number, timestamp: number, ssrc = 1, payload: Buffer = keyFrame): RtpPacket => ({
  payloadType: 96,
  marker: true,
  padding: false,
  sequenceNumber,
  timestamp,
  ssrc,
  payload,
});

test('a packet leaves with the payload type and SSRC that its receiver negotiated', () => {
  const { stream, sent } = rig();
  stream.receive(
    packet(9, 1),
    'vp8/90000',
    source(() => 0),
    1000,
  );
  expect(sent[0]).toMatchObject({ payloadType: 120, ssrc: 77, marker: true });
  expect(String(sent[0]?.payload)).toBe(String(keyFrame));
});

test('a codec that the receiver did not negotiate is not sent, and said once', () => {
  const { stream, sent, refused } = rig();
  const from = source(() => 0);
  for (const number of [1, 2, 3]) stream.receive(packet(number, 1), 'h264/90000/1/42e0', from, 1000);
  expect(sent).toEqual([]);
  expect(refused).toEqual(['h264/90000/1/42e0']);
});

test('a sender report names the instant now on the outgoing line, across a change of source', () => {
  const { stream, sent } = rig();
  const first = source((nowMs) => 9000 + (nowMs - 1000) * 90);
  const second = source((nowMs) => 500 + (nowMs - 3000) * 90);
  stream.receive(packet(1, 9000), 'vp8/90000', first, 1000);
  expect(stream.senderReport(2000)).toMatchObject({ rtpTimestamp: 9000 + 90_000, packets: 1, octets: 5 });
  stream.receive(packet(1, 500, 2), 'vp8/90000', second, 3000);
  // Two seconds after the first packet the line has moved by two seconds, whatever the new source counts from.
  expect(sent[1]?.timestamp).toBe(9000 + 180_000);
  const report = stream.senderReport(4000);
  expect(report?.rtpTimestamp).toBe(9000 + 270_000);
  expect(fromNtp(report ?? toNtp(0))).toBeCloseTo(4000, 2);
});

test('without a sender report of the source none is made up', () => {
  const { stream } = rig();
  stream.receive(
    packet(1, 9000),
    'vp8/90000',
    source(() => undefined),
    1000,
  );
  expect(stream.senderReport(2000)).toBeUndefined();
});

test('a NACK is answered with the very datagram, a key frame request goes to the source', () => {
  const { stream, sent, datagrams, resent } = rig();
  const asked: string[] = [];
  const from = source(() => undefined, asked);
  for (const number of [1, 2]) stream.receive(packet(number, 9000), 'vp8/90000', from, 1000 + number);
  stream.resend([sent[0]?.sequenceNumber ?? 0, 1], 1050);
  expect(resent).toEqual(datagrams.slice(0, 1));
  stream.requestKeyFrame();
  expect(asked).toEqual(['key frame']);
});

test('nothing of a picture leaves before a key frame, neither at first nor of another source, and no number is missing', () => {
  const { stream, sent } = rig();
  const [first, second] = [source(() => 0), source(() => 0)];
  const send = (number: number, from: MediaOutput, ssrc: number, payload: Buffer): void =>
    stream.receive(packet(number, number * 3000, ssrc, payload), 'vp8/90000', from, 1000 + number);
  for (const number of [1, 2]) send(number, first, 1, deltaFrame);
  for (const number of [3, 4]) send(number, first, 1, number === 3 ? keyFrame : deltaFrame);
  for (const number of [70, 71]) send(number, second, 2, deltaFrame);
  for (const number of [72, 73]) send(number, second, 2, number === 72 ? keyFrame : deltaFrame);
  expect(sent.map(({ payload }) => payload)).toEqual([keyFrame, deltaFrame, keyFrame, deltaFrame]);
  const from = sent[0]?.sequenceNumber ?? 0;
  expect(sent.map(({ sequenceNumber }) => sequenceNumber - from)).toEqual([0, 1, 2, 3]);
});

test('a source that begins anew with numbers far away goes on with the next number, from its next key frame', () => {
  const { stream, sent } = rig();
  const from = source(() => 0);
  const send = (number: number, nowMs: number, payload: Buffer): void =>
    stream.receive(packet(number, number * 3000, 1, payload), 'vp8/90000', from, nowMs);
  send(1, 1000, keyFrame);
  send(30_000, 1033, deltaFrame);
  send(30_001, 1066, keyFrame);
  send(30_002, 1099, deltaFrame);
  const [first = 0, ...others] = sent.map(({ sequenceNumber }) => sequenceNumber);
  expect(others.map((number) => number - first)).toEqual([1, 2]);
  expect((sent[1]?.timestamp ?? 0) - (sent[0]?.timestamp ?? 0)).toBe(66 * 90);
});

test('nothing is sent again while what is new needs the whole line, and all that was asked for once it has room', () => {
  let crowded = true;
  const { stream, sent, resent } = rig(() => !crowded);
  const from = source(() => 0);
  stream.receive(packet(1, 9000), 'vp8/90000', from, 1000);
  const number = sent[0]?.sequenceNumber ?? 0;
  stream.resend([number], 1050);
  expect(resent).toEqual([]);
  crowded = false;
  stream.receive(packet(2, 12_000, 1, deltaFrame), 'vp8/90000', from, 1060);
  expect(resent).toHaveLength(1);
  stream.receive(packet(3, 15_000, 1, deltaFrame), 'vp8/90000', from, 1090);
  stream.resend([number], 1095);
  expect(resent).toHaveLength(2);
  expect(stream.nacksReceived).toBe(2);
});

test('what was asked for on a full line is not owed for ever: not after a second, and not more than 200 packets', () => {
  let crowded = true;
  const { stream, sent, resent } = rig(() => !crowded);
  const from = source(() => 0);
  for (let number = 1; number <= 300; number += 1)
    stream.receive(packet(number, number * 3000, 1, number === 1 ? keyFrame : deltaFrame), 'vp8/90000', from, 1000);
  stream.resend(
    sent.map(({ sequenceNumber }) => sequenceNumber),
    1050,
  );
  crowded = false;
  stream.receive(packet(301, 903_000, 1, deltaFrame), 'vp8/90000', from, 1100);
  expect(resent).toHaveLength(200);
  crowded = true;
  stream.resend([sent.at(-1)?.sequenceNumber ?? 0], 1110);
  crowded = false;
  stream.receive(packet(302, 906_000, 1, deltaFrame), 'vp8/90000', from, 2200);
  expect(resent).toHaveLength(200);
});

test('the round trip is what a receiver report implies', () => {
  const { stream } = rig();
  const sentAt = toNtp(1_800_000_000_000);
  const lastSenderReport = (((sentAt.ntpSeconds & 0xffff) << 16) | (sentAt.ntpFraction >>> 16)) >>> 0;
  const report = { ssrc: 77, fractionLost: 0, cumulativeLost: 0, highestSequenceNumber: 0, jitter: 0 };
  stream.noteReport({ ...report, lastSenderReport, delaySinceLastSenderReport: 65_536 }, 1_800_000_001_120);
  expect(stream.roundTripMs).toBeGreaterThan(119);
  expect(stream.roundTripMs).toBeLessThan(121);
});

test('two streams of one browser share one clock offset, that of the least delayed report', () => {
  const offset = new ClockOffset();
  offset.note(1000, 5030);
  offset.note(2000, 6010);
  offset.note(3000, 7200);
  expect(offset.remoteTimeAt(8010)).toBe(4000);
});
