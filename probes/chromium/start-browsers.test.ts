import { expect, test } from '@playwright/test';
import { errors } from 'playwright-core';
import { LoadlineError } from '../../model/errors.js';
import { NotStarted, startBrowsers } from './start-browsers.js';

const late = () =>
  new LoadlineError('E_CHROMIUM_START', 'Chromium does not start: /c', {
    why: 'late',
    cause: new errors.TimeoutError('late'),
  });
const refused = () => new LoadlineError('E_CHROMIUM_START', 'Chromium does not start: /c', { why: 'exit 127' });

/** Starts browsers that do as their number and their try say. */
function starting(browsers: number, start: (browser: number, tried: number) => Promise<void>, more = {}) {
  const tries = new Map<number, number>();
  const again: string[] = [];
  const seen = { now: 0, most: 0 };
  const started = startBrowsers(browsers, {
    atOnce: 2,
    start: async (browser) => {
      const tried = 1 + (tries.get(browser) ?? 0);
      tries.set(browser, tried);
      seen.now += 1;
      seen.most = Math.max(seen.most, seen.now);
      try {
        await new Promise((resolve) => setImmediate(resolve));
        await start(browser, tried);
      } finally {
        seen.now -= 1;
      }
    },
    onAgain: (browser, why) => again.push(`${browser}: ${why}`),
    isOver: () => false,
    ...more,
  });
  return { started, tries, again, seen };
}

test('browsers start a few at a time, and all of them do', async () => {
  const { started, tries, seen } = starting(9, async () => undefined);
  expect(await started).toBeUndefined();
  expect(seen.most).toBe(2);
  expect([...tries]).toEqual(Array.from({ length: 9 }, (_, browser) => [browser, 1]));
});

test('a browser that is late is begun once more, which is told, and the others do not notice', async () => {
  const { started, tries, again } = starting(4, async (browser, tried) => {
    if (browser === 1 && tried === 1) throw late();
  });
  expect(await started).toBeUndefined();
  expect(again).toEqual(['1: Chromium does not start: /c: late']);
  expect(tries.get(1)).toBe(2);
});

test('a browser that is late twice is named, and no further one is begun', async () => {
  const { started, tries } = starting(40, async (browser) => {
    if (browser === 1) throw late();
  });
  const lacking = await started;
  expect(lacking).toBeInstanceOf(NotStarted);
  expect(lacking?.message).toBe('browser 1 did not come up, begun twice: Chromium does not start: /c: late');
  expect(tries.get(1)).toBe(2);
  expect(tries.size).toBeLessThan(10);
});

test('the only browser of a trial that is late twice is an accident; one that refuses is the end of the run', async () => {
  const slow = starting(1, () => Promise.reject(late()));
  expect(await slow.started).toBeInstanceOf(NotStarted);
  const broken = starting(50, () => Promise.reject(refused()));
  await expect(broken.started).rejects.toMatchObject({ code: 'E_CHROMIUM_START', why: 'exit 127' });
  expect(broken.tries.size).toBe(2);
});

test('one that refuses where others came up is an accident of the trial', async () => {
  const { started } = starting(6, (browser) => (browser === 5 ? Promise.reject(refused()) : Promise.resolve()));
  expect(await started).toMatchObject({ browser: 5 });
});

test('what a second try cannot mend is not tried again, nor is anything when nobody waits any more', async () => {
  const full = new LoadlineError('E_DISK_FULL', 'The disk is full.');
  const { started, tries } = starting(3, () => Promise.reject(full));
  await expect(started).rejects.toBe(full);
  expect([...tries.values()]).toEqual([1, 1]);
  const over = starting(3, () => Promise.reject(late()), { isOver: () => true });
  expect(await over.started).toBeUndefined();
  expect(over.tries.size).toBe(0);
});
