import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import type { PolledSockets } from '../../host/polled-sockets.js';
import { Pulse } from './pulse.js';

const nowMs = (): number => performance.now();

const noSockets = { count: 0, read: () => undefined, take: () => undefined } as unknown as PolledSockets;
const readers = { 'by Node': undefined, 'by the pulse': noSockets } as const;

for (const [who, sockets] of Object.entries(readers)) {
  test(`where sockets are read ${who}, what is awaited is done in the order in which it is due, none before its time, and none that was cancelled`, async () => {
    const startedMs = nowMs();
    // All are awaited from one moment, however long it takes to say so: else what is asked for late may be due after what waits longer.
    let isAsking = true;
    let turns = 0;
    const turning = setInterval(() => {
      turns += 1;
    }, 1);
    const pulse = new Pulse(() => (isAsking ? startedMs : nowMs()), sockets);
    const waits = Array.from({ length: 240 }, (_, nth) => ((nth * 37) % 240) / 4);
    const done: { ms: number; atMs: number; turn: number }[] = [];
    for (const ms of waits) pulse.after(ms, () => done.push({ ms, atMs: nowMs() - startedMs, turn: turns }));
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
    if (where === 'in the work of one') pulse.after(0, () => work(80));
    else work(80);
    await sleep(150);
    const latestMs = pulse.takeLatestMs();
    expect(latestMs).toBeGreaterThan(60);
    await sleep(30);
    expect(pulse.latestMs).toBeLessThan(latestMs);
    letGo();
  });
