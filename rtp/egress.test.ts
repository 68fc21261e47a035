import { expect, test } from '@playwright/test';
import { HandClock } from '../tests/embedded/hand-clock.js';
import { randomFrom } from '../tests/random.js';
import { type Clock, Egress, queueMs } from './egress.js';

function rig(limitBps?: number) {
  const clock = new HandClock();
  const egress = new Egress(clock, limitBps);
  const arrivals: { atMs: number; first: number | undefined }[] = [];
  const outlet = { put: (datagram: Buffer) => arrivals.push({ atMs: clock.nowMs(), first: datagram[0] }) };
  const send = (bytes: number, first = 0) => egress.send(outlet, Buffer.alloc(bytes, first), 1, 'x');
  return { clock, egress, arrivals, send };
}

test('without a limit datagrams pass at once, counted with 28 bytes of header, and no timer is set', () => {
  const { clock, egress, arrivals, send } = rig();
  for (let i = 0; i < 50; i += 1) send(972);
  expect(arrivals).toHaveLength(50);
  expect(egress.counts()).toEqual({ egressBytes: 50_000, egressDroppedPackets: 0 });
  expect(clock.timersSet).toBe(0);
});

test('below the limit everything leaves, each datagram after its own transmission time', () => {
  const { clock, egress, arrivals, send } = rig(1_000_000);
  for (let i = 0; i < 100; i += 1) {
    send(972);
    clock.forward(10);
  }
  expect(arrivals).toHaveLength(100);
  expect(arrivals[0]?.atMs).toBe(1008);
  expect(egress.counts().egressDroppedPackets).toBe(0);
});

for (const load of [1.2, 2, 5]) {
  test(`at ${load} times the limit exactly the limit leaves, and the rest is dropped`, () => {
    const { clock, egress, arrivals, send } = rig(1_000_000);
    const seconds = 20;
    const sent = Math.round(125 * load) * seconds;
    for (let i = 0; i < sent; i += 1) {
      send(972);
      clock.forward((seconds * 1000) / sent);
    }
    const { egressBytes, egressDroppedPackets } = egress.counts();
    expect((egressBytes * 8) / seconds / 1_000_000).toBeGreaterThan(0.995);
    expect((egressBytes * 8) / seconds / 1_000_000).toBeLessThan(1.005);
    clock.forward(2 * queueMs);
    expect(arrivals.length + egressDroppedPackets).toBe(sent);
  });
}

test('a line that shrinks twice by a tenth carries 0.81 of its limit, and one without a limit still passes all', () => {
  const { clock, egress, send } = rig(1_000_000);
  egress.shrink(0.1);
  egress.shrink(0.1);
  for (let i = 0; i < 5000; i += 1) {
    send(972);
    clock.forward(4);
  }
  const rateBps = (egress.counts().egressBytes * 8) / 20;
  expect(rateBps / 1_000_000).toBeGreaterThan(0.805);
  expect(rateBps / 1_000_000).toBeLessThan(0.815);
  const free = rig();
  free.egress.shrink(0.1);
  free.send(972);
  expect(free.arrivals).toHaveLength(1);
});

test('no datagram waits longer than the queue and its own time, and order is kept', () => {
  const { clock, arrivals, send } = rig(1_000_000);
  for (let i = 0; i < 200; i += 1) send(972, i);
  clock.forward(1000);
  expect(arrivals.map((arrival) => arrival.first)).toEqual(arrivals.map((_, index) => index));
  expect(arrivals.at(-1)?.atMs).toBeLessThanOrEqual(1000 + queueMs + 8);
});

test('a timer that comes late delays datagrams but the rate is made up', () => {
  const { clock, egress, send } = rig(1_000_000);
  const late: Clock = { nowMs: () => clock.nowMs(), after: (ms, act) => clock.after(ms + 17, act) };
  const limited = new Egress(late, 1_000_000);
  const outlet = { put: () => {} };
  for (let i = 0; i < 4000; i += 1) {
    limited.send(outlet, Buffer.alloc(972), 1, 'x');
    clock.forward(4);
  }
  const rate = (limited.counts().egressBytes * 8) / 16 / 1_000_000;
  expect(rate).toBeGreaterThan(0.99);
  expect(rate).toBeLessThan(1.005);
  send(1);
  egress.close();
});

test('at a rate so low that one datagram fills the queue, datagrams still leave', () => {
  const { clock, arrivals, send } = rig(10_000);
  send(972);
  send(972);
  clock.forward(2000);
  expect(arrivals).toHaveLength(1);
});

test('after close nothing leaves any more', () => {
  const { clock, egress, arrivals, send } = rig(1_000_000);
  send(972);
  egress.close();
  clock.forward(1000);
  expect(arrivals).toHaveLength(0);
});

test('under overload what is sent again does not drive out what is new: receivers that ask for all that was dropped get as much as those that ask for nothing', () => {
  const arrivedOfNew = (asking: boolean, bounded: boolean): number => {
    const { clock, egress, arrivals, send } = rig(1_000_000);
    const random = randomFrom(1);
    const put = (first: number): void => {
      const { egressDroppedPackets } = egress.counts();
      send(972, first);
      if (egress.counts().egressDroppedPackets > egressDroppedPackets) dropped();
    };
    // What is dropped again is asked for again.
    const dropped = (): void => {
      if (asking) clock.after(60 + 40 * random(), () => (bounded && egress.crowded ? dropped() : put(2)));
    };
    for (let sent = 0; sent < 1500; sent += 1) {
      put(1);
      clock.forward(1000 / 150);
    }
    return arrivals.filter(({ first }) => first === 1).length / 1500;
  };
  expect(arrivedOfNew(false, true)).toBeCloseTo(125 / 150, 1);
  expect(arrivedOfNew(true, true)).toBeCloseTo(125 / 150, 1);
  expect(arrivedOfNew(true, false), 'what would be without the bound').toBeLessThan(0.6);
});
