import { expect, test } from '@playwright/test';
import { MissingPackets } from './missing-packets.js';
import { toNtp } from './ntp.js';
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

test('a missing packet is asked for after a moment for reordering, then at growing intervals, four times', () => {
  const missing = new MissingPackets();
  missing.note(10, 0);
  missing.note(12, 0);
  expect(missing.due(5)).toEqual([]);
  const asked: number[] = [];
  for (let nowMs = 0; nowMs < 3000; nowMs += 5) if (missing.due(nowMs).length > 0) asked.push(nowMs);
  expect(asked).toEqual([15, 95, 255, 575]);
  expect(missing.any).toBe(false);
});

test('a packet that arrives in time is not asked for, and a hole too large is left to a key frame', () => {
  const missing = new MissingPackets();
  missing.note(10, 0);
  missing.note(12, 0);
  missing.note(11, 3);
  expect(missing.due(100)).toEqual([]);
  expect(missing.note(400, 100)).toBe(true);
  expect(missing.due(1000)).toEqual([]);
});
