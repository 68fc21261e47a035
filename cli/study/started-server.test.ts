import { expect, test } from '@playwright/test';
import { startedOf } from './started-server.js';

test('a command is the process of its server only where what listens is of it, as that of docker run is not', () => {
  const one = (pid: number, parent: number) => ({ pid, parent, state: 'S', cpuTicks: 0, startTicks: 0 });
  const all = [one(10, 1), one(11, 10), one(12, 11), one(20, 1), one(21, 20)];
  expect(startedOf(10, 10, all)).toBe(10);
  expect(startedOf(10, 12, all)).toBe(10);
  expect(startedOf(10, 21, all)).toBeUndefined();
  expect(startedOf(10, undefined, all)).toBeUndefined();
  expect(startedOf(99, 99, all)).toBeUndefined();
});
