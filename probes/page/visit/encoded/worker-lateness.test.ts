import { expect, test } from '@playwright/test';
import { WorkerLateness } from './worker-lateness.js';

test('each who reads is told how late the worker was since it read before, though the worker tells it once', async () => {
  const said = [900, 1, 2, 3];
  const lateness: WorkerLateness = new WorkerLateness(() => setImmediate(() => lateness.hear(said.shift() ?? 0)));
  const began = 0;
  expect(await lateness.since(began)).toBe(900);
  expect(await lateness.since(began), 'another participant of the document').toBe(900);
  expect(await lateness.since(Number.POSITIVE_INFINITY), 'who has heard of it').toBe(2);
});

test('a worker that does not answer is late, and one that has failed is not asked', async () => {
  let asked = 0;
  const lateness = new WorkerLateness(() => {
    asked += 1;
  });
  expect(await lateness.since(0)).toBeGreaterThan(300);
  lateness.fail();
  expect(await lateness.since(0)).toBe(0);
  expect(asked).toBe(1);
});
