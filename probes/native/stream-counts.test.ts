import { expect, test } from '@playwright/test';
import { seededRandom } from '../../model/seeded-random.js';
import { StreamCounts } from './stream-counts.js';

const clockRate = 90_000;

interface Sent {
  readonly number: number;
  readonly timestamp: number;
}

/** `count` packets from `first` on, three to a frame, 30 frames a second. */
const packets = (count: number, first: number): Sent[] =>
  Array.from({ length: count }, (_, index) => ({ number: first + index, timestamp: Math.floor(index / 3) * 3000 }));

function countsOf(sent: readonly Sent[]): StreamCounts {
  const counts = new StreamCounts(1, clockRate);
  for (const [index, { number, timestamp }] of sent.entries()) {
    counts.take(number & 0xffff, timestamp >>> 0, 100, index * 11);
  }
  return counts;
}

test('packets, bytes and losses are those that were sent and lost, over wraps, with packets late and twice', () => {
  const wrong = Array.from({ length: 40 }, (_, seed) => {
    const random = seededRandom(seed + 1);
    const sent = packets(3000, 64_000 + Math.floor(random() * 3000));
    const kept = sent.filter((_one, index) => index === 0 || index === sent.length - 1 || random() > 0.05);
    const late = kept
      .map((one, place) => ({ one, place: place === 0 ? -1 : place + random() * 20 }))
      .sort((a, b) => a.place - b.place)
      .map(({ one }) => one);
    const twice = late.flatMap((one) => (random() < 0.03 ? [one, one] : [one]));
    const { packets: got, lost, payloadBytes } = countsOf(twice);
    const isRight = got === kept.length && lost === sent.length - kept.length && payloadBytes === 100 * kept.length;
    return isRight ? [] : [{ seed, got, lost, kept: kept.length }];
  }).flat();
  expect(wrong).toEqual([]);
});

test('a report says the losses since the one before as a share, and all of them as a number', () => {
  const counts = new StreamCounts(7, clockRate);
  for (const { number, timestamp } of packets(100, 1).filter((_, index) => index % 4 !== 1)) {
    counts.take(number, timestamp, 1, timestamp / 90);
  }
  expect(counts.report(5000)).toMatchObject({
    ssrc: 7,
    fractionLost: 64,
    cumulativeLost: 25,
    highestSequenceNumber: 100,
  });
  expect(counts.report(6000)).toMatchObject({ fractionLost: 0, cumulativeLost: 25, lastSenderReport: 0 });
  counts.noteSenderReport(0xabcd, 6000);
  expect(counts.report(7000)).toMatchObject({ lastSenderReport: 0xabcd, delaySinceLastSenderReport: 65_536 });
});

test('a sender that begins anew elsewhere has lost nothing by that, and one packet from nowhere is one packet more', () => {
  const anew = [...packets(300, 1000), ...packets(300, 40_000)];
  expect(countsOf(anew)).toMatchObject({ packets: 600, lost: 0 });
  const stray = [...packets(300, 1000), { number: 40_000, timestamp: 0 }, ...packets(300, 1300)];
  expect(countsOf(stray)).toMatchObject({ packets: 601, lost: -1 });
});

test('jitter is that of RFC 3550 between each first packet of a frame and the packet before it, as Chromium takes it', () => {
  const even = new StreamCounts(1, clockRate);
  const shaken = new StreamCounts(1, clockRate);
  const random = seededRandom(3);
  let expected = 0;
  let before = 0;
  for (let frame = 0; frame < 2000; frame += 1) {
    even.take(frame & 0xffff, frame * 3000, 1, (frame * 1000) / 30);
    const lateMs = random() * 10;
    shaken.take(frame & 0xffff, frame * 3000, 1, (frame * 1000) / 30 + lateMs);
    if (frame > 0) expected += (Math.abs(lateMs - before) - expected) / 16;
    before = lateMs;
  }
  expect(even.jitterSeconds).toBeLessThan(1e-6);
  expect(shaken.jitterSeconds * 1000).toBeCloseTo(expected, 3);
  // Packets of a frame that follow one another slowly: the next frame is nearer to the last of them than to the first.
  const paced = new StreamCounts(1, clockRate);
  for (let frame = 0, number = 0; frame < 300; frame += 1) {
    for (const offsetMs of [0, 8]) {
      paced.take(number & 0xffff, frame * 3000, 1, (frame * 1000) / 30 + offsetMs);
      number += 1;
    }
  }
  expect(paced.jitterSeconds * 1000).toBeCloseTo(8, 1);
});
