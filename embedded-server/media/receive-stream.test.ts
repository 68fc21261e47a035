import { expect, test } from '@playwright/test';
import { Egress } from '../../rtp/egress.js';
import { toNtp } from '../../rtp/ntp.js';
import type { RtpPacket } from '../../rtp/rtp.js';
import { HandClock } from '../../tests/embedded/hand-clock.js';
import { ClockOffset } from './clock-offset.js';
import { IncomingTrack } from './incoming-track.js';
import { MissingPackets } from './missing-packets.js';
import { ReceiveStream } from './receive-stream.js';

function receiving(sequenceNumbers: readonly number[]): ReceiveStream {
  const stream = new ReceiveStream(1, 90_000);
  sequenceNumbers.forEach((number, index) => {
    stream.count(number, index * 3000, index * (1000 / 30));
  });
  return stream;
}

test('a report says what was lost since the last one and in all', () => {
  const stream = receiving([10, 11, 13, 14]);
  expect(stream.report(0)).toMatchObject({ fractionLost: 51, cumulativeLost: 1, highestSequenceNumber: 14 });
  for (const number of [15, 16, 17]) stream.count(number, 0, 0);
  expect(stream.report(0)).toMatchObject({ fractionLost: 0, cumulativeLost: 1, highestSequenceNumber: 17 });
});

test('a late packet fills its gap; a duplicate counts for nothing', () => {
  const stream = receiving([10, 12, 11, 12, 12]);
  expect(stream.report(0)).toMatchObject({ cumulativeLost: 0 });
  expect(stream.duplicates).toBe(2);
  expect(stream.packets).toBe(3);
});

test('a packet that came again by RTX fills its gap once, and stays lost in the report', () => {
  const stream = receiving([65_534, 1]);
  expect([65_535, 65_535, 0].map((number) => stream.recover(number))).toEqual([2 * 65_536 - 1, undefined, 131_072]);
  expect(
    [2, 65_533].map((number) => stream.recover(number)),
    'of what this stream has not seen',
  ).toEqual([undefined, undefined]);
  expect(stream.report(0)).toMatchObject({ cumulativeLost: 2, highestSequenceNumber: 65_537 });
});

test('the highest number counts cycles across the wrap', () => {
  const stream = receiving([65_534, 65_535, 0, 1]);
  expect(stream.report(0)).toMatchObject({ cumulativeLost: 0, highestSequenceNumber: 65_536 + 1 });
});

test('a packet from just before the first one widens the expectation, not the loss', () => {
  expect(receiving([1, 0, 2]).report(0)).toMatchObject({ cumulativeLost: 0 });
  expect(receiving([0, 65_535, 1]).report(0)).toMatchObject({ cumulativeLost: 0 });
});

test('an even stream has no jitter; one that swings by 10 ms has close to 10 ms', () => {
  const even = new ReceiveStream(1, 90_000);
  const swinging = new ReceiveStream(1, 90_000);
  for (let frame = 0; frame < 300; frame += 1) {
    even.count(frame, frame * 3000, frame * (1000 / 30));
    swinging.count(frame, frame * 3000, frame * (1000 / 30) + (frame % 2) * 10);
  }
  expect(even.jitterSeconds).toBeLessThan(0.0001);
  expect(swinging.jitterSeconds).toBeGreaterThan(0.0095);
  expect(swinging.jitterSeconds).toBeLessThan(0.0105);
});

test('the delay since the last sender report lets the sender compute its round trip', () => {
  const stream = receiving([1]);
  const ntp = toNtp(1_700_000_000_250);
  stream.noteSenderReport(ntp.ntpSeconds, ntp.ntpFraction, 5000);
  const report = stream.report(5500);
  expect(report.delaySinceLastSenderReport).toBe(32_768);
  expect((report.lastSenderReport & 0xffff) / 65_536).toBeCloseTo(0.25, 3);
});

test('a sender that begins anew is counted from zero, and one stray packet from far away is not counted', () => {
  const stream = receiving([10, 11, 13]);
  stream.noteSenderReport(1, 0, 0);
  expect(stream.count(40_000, 0, 0), 'a stray').toBeUndefined();
  expect(stream.count(14, 0, 0)).toBeDefined();
  expect([stream.restarts, stream.packets, stream.lost]).toEqual([0, 4, 1]);
  for (const number of [40_001, 40_002, 40_003]) stream.count(number, 0, 0);
  expect([stream.restarts, stream.packets, stream.lost, stream.duplicates]).toEqual([1, 2, 0, 0]);
  expect(stream.report(0)).toMatchObject({
    fractionLost: 0,
    cumulativeLost: 0,
    highestSequenceNumber: 40_003,
    jitter: 0,
    lastSenderReport: 0,
  });
});

test('after its sender began anew a stream is still repaired', () => {
  const { track, nacked, clock } = incoming();
  for (const number of [60_000, 60_001, 900, 901, 903]) track.receive(video(number), 'vp8/90000', 100, clock.nowMs());
  clock.forward(20);
  expect(nacked).toEqual([[902]]);
});

/** When a packet that never comes is asked for, and when it is given up. */
function triesFor(roundTripMs?: number): { readonly askedAtMs: readonly number[]; readonly givenUpAtMs: number } {
  const missing = new MissingPackets();
  missing.note(10, 0);
  missing.note(12, 0);
  const askedAtMs: number[] = [];
  for (let nowMs = 0; ; nowMs += 5) {
    const { numbers, givenUp } = missing.due(nowMs, roundTripMs);
    if (numbers.length > 0) askedAtMs.push(nowMs);
    if (givenUp > 0) return { askedAtMs, givenUpAtMs: nowMs };
  }
}

test('a missing packet is asked for after a moment for reordering, then each round trip, ten times', () => {
  expect(triesFor(90).askedAtMs).toEqual([15, 115, 215, 315, 415, 515, 615, 715, 815, 915]);
  expect(triesFor(90).givenUpAtMs).toBe(1015);
  expect(triesFor(20)).toEqual({ askedAtMs: [15, 45, 75, 105, 135, 165, 195, 225, 255, 285], givenUpAtMs: 315 });
  expect(triesFor().askedAtMs.slice(0, 3), 'the round trip is unknown').toEqual([15, 125, 235]);
});

test('over a long way a missing packet is asked for three times at least, and not for longer than they take', () => {
  expect(triesFor(400)).toEqual({ askedAtMs: [15, 425, 835], givenUpAtMs: 1245 });
  expect(triesFor(800)).toEqual({ askedAtMs: [15, 825, 1635], givenUpAtMs: 2445 });
});

test('when asking for a packet was in vain a key frame is asked for, again each second until one begins', () => {
  const { track, nacked, keyFramesAskedAtMs, clock } = incoming();
  for (const number of [1, 2, 4]) track.receive(video(number), 'vp8/90000', 100, clock.nowMs());
  clock.forward(1200);
  expect(nacked).toHaveLength(10);
  expect(keyFramesAskedAtMs).toEqual([1015]);
  clock.forward(2000);
  expect(keyFramesAskedAtMs).toEqual([1015, 2015, 3015]);
  track.receive(video(5, 0x00), 'vp8/90000', 100, clock.nowMs());
  clock.forward(5000);
  expect(keyFramesAskedAtMs).toHaveLength(3);
  track.close();
});

test('requests for key frames within the gap are one, sent at its end, unless a key frame has begun by then', () => {
  const { track, keyFramesAskedAtMs, clock } = incoming();
  track.receive(video(1), 'vp8/90000', 100, clock.nowMs());
  for (let index = 0; index < 5; index += 1) track.requestKeyFrame();
  clock.forward(100);
  track.requestKeyFrame();
  clock.forward(400);
  expect(keyFramesAskedAtMs).toEqual([0, 400]);
  track.requestKeyFrame();
  track.receive(video(2, 0x00), 'vp8/90000', 100, clock.nowMs());
  clock.forward(5000);
  expect(keyFramesAskedAtMs).toEqual([0, 400]);
});

/** One packet is one frame of VP8; an even head is that of a key frame. */
const video = (sequenceNumber: number, head = 0x01): RtpPacket => ({
  payloadType: 96,
  marker: true,
  padding: false,
  sequenceNumber,
  timestamp: sequenceNumber * 3000,
  ssrc: 1,
  payload: Buffer.from([0x10, head]),
});

function incoming() {
  const clock = new HandClock(0);
  const nacked: (readonly number[])[] = [];
  const keyFramesAskedAtMs: number[] = [];
  const track = new IncomingTrack({
    keyFrameTurns: new Egress(clock).keyFrameTurns,
    kind: 'video',
    clockRate: 90_000,
    clock,
    clockOffset: new ClockOffset(),
    roundTripMs: () => 90,
    sendNack: (_ssrc, numbers) => nacked.push(numbers),
    sendKeyFrameRequest: () => keyFramesAskedAtMs.push(clock.nowMs()),
  });
  return { track, nacked, keyFramesAskedAtMs, clock };
}

test('a packet that arrives in time is not asked for, and a hole too large is left to a key frame', () => {
  const missing = new MissingPackets();
  missing.note(10, 0);
  missing.note(12, 0);
  missing.note(11, 3);
  expect(missing.due(100).numbers).toEqual([]);
  expect(missing.note(400, 100)).toBe(true);
  expect(missing.due(1000).numbers).toEqual([]);
});
