import { expect, test } from '@playwright/test';
import { type PlacedPacket, PlacedPackets } from './placed-packets.js';

const body = (byte: number): Uint8Array => Uint8Array.of(byte);
const scratch = () => ({ number: 0, timestamp: 0, marker: false, head: 0, body: body(0) });

/** So many that have left, at these times. */
function left(firstNumber: number, timesMs: readonly number[]): PlacedPackets {
  const packets = new PlacedPackets(firstNumber);
  timesMs.forEach((atMs, nth) => {
    packets.place(nth, body(nth & 0xff), false, nth);
    packets.leave(atMs, scratch());
  });
  return packets;
}

test('packets leave in the order in which they were placed, as they were, and then none does', () => {
  const packets = new PlacedPackets(65_535);
  packets.place(0x9080_8005, body(1), false, 2 ** 32 - 1);
  packets.place(0x8080_8005, body(2), true, 90);
  const to: PlacedPacket = scratch();
  expect(packets.leave(0, to)).toBe(true);
  expect(to).toEqual({ number: 65_535, timestamp: 2 ** 32 - 1, marker: false, head: 0x9080_8005, body: body(1) });
  expect(packets.leave(0, to)).toBe(true);
  expect(to).toEqual({ number: 65_536, timestamp: 90, marker: true, head: 0x8080_8005, body: body(2) });
  expect(packets.leave(0, to)).toBe(false);
});

test('one is sent again for a second, not twice within a round trip, and not before it has left', () => {
  const packets = left(7, [1000]);
  expect(packets.again(7, 1100, 20)).toMatchObject({ number: 7, body: body(0) });
  expect(packets.again(7, 1115, 20)).toBeUndefined();
  expect(packets.again(7, 1120, 20)).toMatchObject({ number: 7 });
  expect(packets.again(7, 2001, 20)).toBeUndefined();
  packets.place(1, body(1), false, 1);
  expect(packets.again(8, 1200, 20)).toBeUndefined();
  expect(packets.again(9, 1200, 20)).toBeUndefined();
});

test('one whose place a newer one has taken is not sent again, and numbers go on over 16 bits', () => {
  const packets = left(
    65_000,
    Array.from({ length: 600 }, () => 1000),
  );
  expect(packets.again(65_000, 1001, 20)).toBeUndefined();
  expect(packets.again((65_000 + 599) & 0xffff, 1001, 20)).toMatchObject({ number: 65_599, timestamp: 599 });
});

test('there is room for 512 that wait', () => {
  const packets = new PlacedPackets(1);
  for (let nth = 0; nth < 500; nth += 1) packets.place(nth, body(0), false, nth);
  expect([packets.hasRoom(12), packets.hasRoom(13)]).toEqual([true, false]);
  packets.leave(0, scratch());
  expect(packets.hasRoom(13)).toBe(true);
});
