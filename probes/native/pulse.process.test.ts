import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { Pulse } from './pulse.js';

const nowMs = (): number => performance.now();

test('what is awaited is done in the order in which it is due, none before its time, none that was cancelled, and few pulses do it all', async () => {
  const startedMs = nowMs();
  // All are awaited from one moment, however long it takes to say so: else what is asked for late may be due after what waits longer.
  let isAsking = true;
  const pulse = new Pulse(() => (isAsking ? startedMs : nowMs()));
  const waits = Array.from({ length: 60 }, (_, nth) => (nth * 37) % 60);
  const done: { ms: number; atMs: number }[] = [];
  for (const ms of waits) pulse.after(ms, () => done.push({ ms, atMs: nowMs() - startedMs }));
  pulse.after(20, () => done.push({ ms: -1, atMs: 0 }))();
  isAsking = false;
  await sleep(250);
  expect(done.map(({ ms }) => ms)).toEqual([...waits].sort((a, b) => a - b));
  expect(done.filter(({ ms, atMs }) => atMs < ms)).toEqual([]);
  const moments = new Set(done.map(({ atMs }) => Math.round(atMs)));
  expect(moments.size).toBeLessThan(waits.length / 2);
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
    if (where === 'in the work of one') pulse.after(0, () => work(80));
    else work(80);
    await sleep(150);
    const latestMs = pulse.takeLatestMs();
    expect(latestMs).toBeGreaterThan(60);
    await sleep(30);
    expect(pulse.latestMs).toBeLessThan(latestMs);
    letGo();
  });
