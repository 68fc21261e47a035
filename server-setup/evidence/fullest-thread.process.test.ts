import { Worker } from 'node:worker_threads';
import { expect, test } from '@playwright/test';
import { FullestThread } from './fullest-thread.js';

const second = () => new Promise((resolve) => setTimeout(resolve, 1000));

test('a thread that spins is the fullest of a process, and one that is gone is not', async () => {
  const spinning = new Worker('for (;;) {}', { eval: true });
  const meter = new FullestThread();
  expect(await meter.read([process.pid])).toBeUndefined();
  // Too soon to tell.
  expect(await meter.read([process.pid])).toBeUndefined();
  await second();
  const fullest = await meter.read([process.pid]);
  await spinning.terminate();
  // It shares its core with whatever else runs: what it did not get, it waited for.
  expect((fullest?.cores ?? 0) + (fullest?.waitedShare ?? 0)).toBeGreaterThan(0.7);
  expect(fullest?.name).toBeTruthy();
  await second();
  expect((await meter.read([process.pid]))?.id).not.toBe(fullest?.id);
  expect(await new FullestThread().read([2 ** 30])).toBeUndefined();
});
