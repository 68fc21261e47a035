import { expect, test } from '@playwright/test';
import { whatStillChanges } from './calm.js';

test('a page that goes on changing is named, and who has been calm before it is not', async () => {
  let now = 1_000;
  const [calm, late, restless] = [{ changedMs: 0 }, { changedMs: 0 }, { changedMs: 0 }];
  const clock = {
    nowMs: () => now,
    wait: async (ms: number) => {
      now += ms;
      if (now < 10_000) late.changedMs = now;
      if (now % 3_000 === 0) restless.changedMs = now;
    },
  };
  expect(await whatStillChanges([calm, late, restless], clock)).toEqual([restless]);
  expect(await whatStillChanges([calm, late], clock)).toEqual([]);
});
