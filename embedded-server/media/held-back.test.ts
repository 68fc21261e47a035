import { expect, test } from '@playwright/test';
import { HandClock } from '../../tests/embedded/hand-clock.js';
import { HeldBack, keptPackets } from './held-back.js';

test('what is held back leaves in its order, as it came, though the next packet is written over it', () => {
  const clock = new HandClock(0);
  const left: (readonly [atMs: number, numbers: readonly number[]])[] = [];
  const held = new HeldBack<ReturnType<typeof keptPackets>>(clock, { firstMs: 150, growthMs: 0 }, (packets, nowMs) =>
    left.push([nowMs, packets.map(({ packet }) => packet.sequenceNumber)]),
  );
  const fixed = { payloadType: 96, marker: true, padding: false, timestamp: 0, ssrc: 1, payload: Buffer.of(0) };
  const lent = { ...fixed, sequenceNumber: 1 };
  held.take(keptPackets([{ packet: lent, codec: 'vp8/90000' }]));
  clock.forward(20);
  lent.sequenceNumber = 2;
  held.take(keptPackets([{ packet: lent, codec: 'vp8/90000' }]));
  lent.sequenceNumber = 3;
  clock.forward(129);
  expect(left).toEqual([]);
  clock.forward(200);
  expect(left.map(([, numbers]) => numbers)).toEqual([[1], [2]]);
  held.take(keptPackets([{ packet: lent, codec: 'vp8/90000' }]));
  held.close();
  clock.forward(200);
  expect(left).toHaveLength(2);
});

test('a queue that grows holds each packet longer than the one before', () => {
  const clock = new HandClock(0);
  const leftAfterMs: number[] = [];
  const held = new HeldBack<ReturnType<typeof keptPackets>>(clock, { firstMs: 10, growthMs: 20 }, ([first], nowMs) =>
    leftAfterMs.push(nowMs - 1000 * (first?.packet.sequenceNumber ?? 0)),
  );
  for (let second = 0; second < 3; second += 1) {
    const packet = { payloadType: 96, marker: true, padding: false, timestamp: 0, ssrc: 1, payload: Buffer.of(0) };
    held.take(keptPackets([{ packet: { ...packet, sequenceNumber: second }, codec: 'vp8/90000' }]));
    clock.forward(1000);
  }
  expect(leftAfterMs).toEqual([10, 30, 50]);
});
