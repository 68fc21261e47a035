import { expect, test } from '@playwright/test';
import { measureCalls } from './measure-calls.js';

test('a measure that does not return is told once, and called again', async () => {
  let calls = 0;
  const told: string[] = [];
  await measureCalls({
    measure: () => {
      calls += 1;
      return new Promise(() => undefined);
    },
    isOver: () => calls === 3,
    onFailed: (why) => told.push(why),
    thrown: String,
    ...{ everyMs: 1, waitMs: 1 },
  });
  expect([calls, told]).toEqual([3, ['has not returned in 0.001 s']]);
});
