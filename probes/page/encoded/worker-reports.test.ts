import { expect, test } from '@playwright/test';
import { WorkerReports } from './worker-reports.js';

test('a worker that does not answer in time is that late, and what it counted goes with its next report', async () => {
  let asked = 0;
  const reports = new WorkerReports(() => {
    asked += 1;
  });
  const counted = { lateMs: 1100, streams: new Map() };
  expect(await reports.take(1)).toEqual({ lateMs: 1 });
  expect(await reports.take(2), 'still out').toEqual({ lateMs: 2 });
  reports.hear(counted);
  expect(await reports.take(60_000)).toBe(counted);
  expect(asked, 'its counts begin anew each time that it is asked').toBe(1);
  const next = reports.take(60_000);
  expect(asked).toBe(2);
  reports.hear({ ...counted, lateMs: 3 });
  expect((await next).lateMs).toBe(3);
});
