import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { startTicks } from './clock.js';

test('each second is ticked once, also where a timer is a part of a millisecond early', async () => {
  const due: number[] = [];
  // Twenty phases, so that in some of them a timer of whole milliseconds would come before its second is over.
  const ends = Array.from({ length: 20 }, (_, nth) => startTicks(nth * 50 + nth / 20, ({ dueMs }) => due.push(dueMs)));
  await sleep(2200);
  for (const end of ends) end();
  expect(due.length).toBeGreaterThanOrEqual(30);
  expect(new Set(due.map((ms) => ms.toFixed(2))).size).toBe(due.length);
});
