import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { PolledSockets } from '../../rtp/polled-sockets.js';
import { boundSocket, polledSockets } from '../../tests/polled.js';
import { Pulse } from './pulse.js';

const nowMs = (): number => performance.now();

const readers = { 'by Node': () => undefined, 'by the pulse': polledSockets } as const;

for (const [who, reader] of Object.entries(readers)) {
  test(`where sockets are read ${who}, what is awaited is done in the order in which it is due, none before its time, and none that was cancelled`, async () => {
    const sockets = reader();
    const startedMs = nowMs();
    // All are awaited from one moment, however long it takes to say so: else what is asked for late may be due after
    // what waits longer.
    let isAsking = true;
    let turns = 0;
    const turning = setInterval(() => {
      turns += 1;
    }, 1);
    const pulse = new Pulse(() => (isAsking ? startedMs : nowMs()), sockets);
    const waits = Array.from({ length: 240 }, (_, nth) => ((nth * 37) % 240) / 4);
    const done: { ms: number; atMs: number; turn: number }[] = [];
    for (const ms of waits) pulse.after(ms, () => done.push({ ms, atMs: pulse.nowMs() - startedMs, turn: turns }));
    pulse.after(20, () => done.push({ ms: -1, atMs: 0, turn: 0 }))();
    isAsking = false;
    await sleep(250);
    clearInterval(turning);
    expect(done.map(({ ms }) => ms)).toEqual([...waits].sort((a, b) => a - b));
    expect(done.filter(({ ms, atMs }) => atMs < ms)).toEqual([]);
    // Each at its own time, and many between two turns of Node.
    const moments = new Set(done.map(({ atMs }) => atMs));
    if (sockets) expect(moments.size).toBeGreaterThan(2 * new Set(done.map(({ turn }) => turn)).size);
  });
}

test('a timer acts once for each time that it is set, at the time that it was set to last, and not once it is cleared', async () => {
  const pulse = new Pulse(nowMs);
  const startedMs = nowMs();
  const acted: { nth: number; atMs: number }[] = [];
  const timers = [0, 1, 2, 3].map((nth) =>
    pulse.timer(() => {
      acted.push({ nth, atMs: nowMs() - startedMs });
      if (acted.length === 1) timers[0]?.set(startedMs + 120);
    }),
  );
  timers[0]?.set(startedMs + 20);
  timers[1]?.set(startedMs + 200);
  timers[1]?.set(startedMs + 40);
  timers[2]?.set(startedMs + 30);
  timers[2]?.clear();
  timers[3]?.set(startedMs + 50);
  timers[3]?.clear();
  timers[3]?.set(startedMs + 80);
  await sleep(300);
  expect(acted.map(({ nth }) => nth)).toEqual([0, 1, 3, 0]);
  expect(acted.filter(({ atMs }, at) => atMs < ([20, 40, 80, 120][at] ?? 0))).toEqual([]);
});

test('what is sent leaves when it is due, in that order, though it is made before: many of it between two turns of Node', async () => {
  const sockets = polledSockets();
  const [own, peer] = [await boundSocket(), await boundSocket()];
  const pulse = new Pulse(nowMs, sockets);
  const heard: { nth: number; atMs: number }[] = [];
  // One process: the peer's are read in the same turns, and when each came is known from the kernel.
  pulse.take(peer, (datagram, _port, _address, atMs) => heard.push({ nth: datagram.readUInt8(), atMs }));
  const send = pulse.take(own, () => undefined);
  // While connections are made nothing is made before it is due.
  await sleep(3_100);
  const dueMs: number[] = [];
  let madeEarly = 0;
  await new Promise<void>((resolve) => {
    const one = (nth: number): void => {
      dueMs.push(pulse.nowMs());
      if (pulse.nowMs() > nowMs()) madeEarly += 1;
      // Its memory is free when that returns.
      const datagram = Buffer.alloc(200, nth);
      send?.(datagram, peer.address().port, '127.0.0.1');
      datagram.fill(0xff);
      if (nth < 199) pulse.after(0.25, () => one(nth + 1));
      else resolve();
    };
    pulse.after(0, () => one(0));
  });
  await sleep(50);
  for (const socket of [own, peer]) socket.close();
  expect(heard.map(({ nth }) => nth)).toEqual(dueMs.map((_, nth) => nth));
  expect(madeEarly).toBeGreaterThan(100);
  // Of two clocks, that may be adjusted meanwhile.
  expect(heard.filter(({ atMs }, nth) => atMs < (dueMs[nth] ?? 0) - 0.5)).toEqual([]);
});

test('sockets are read more often for a while after packets were missing', async () => {
  let reads = 0;
  class Counted extends PolledSockets {
    override read(): void {
      reads += 1;
      super.read();
    }
  }
  const pulse = new Pulse(nowMs, polledSockets(Counted));
  const letGo = pulse.hold();
  const readsInASpan = async (): Promise<number> => {
    const before = reads;
    await sleep(800);
    return reads - before;
  };
  const calm = await readsInASpan();
  pulse.attend();
  const attentive = await readsInASpan();
  await sleep(400);
  const calmAgain = await readsInASpan();
  letGo();
  expect(attentive).toBeGreaterThan(calm);
  expect(attentive).toBeGreaterThan(calmAgain);
});

const work = (ms: number): void => {
  const until = nowMs() + ms;
  while (nowMs() < until);
};

for (const where of ['between two pulses', 'in the work of one'] as const)
  test(`a process that is held up ${where} is told of as late by as long, once`, async () => {
    const pulse = new Pulse(nowMs);
    const letGo = pulse.hold();
    await sleep(50);
    pulse.takeLatestMs();
    if (where === 'in the work of one') pulse.after(0, () => work(120));
    else work(120);
    await sleep(150);
    const latestMs = pulse.takeLatestMs();
    expect(latestMs).toBeGreaterThan(60);
    await sleep(30);
    expect(pulse.latestMs).toBeLessThan(latestMs);
    letGo();
  });
