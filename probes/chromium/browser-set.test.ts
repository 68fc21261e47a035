import { expect, test } from '@playwright/test';
import { errors, type Page } from 'playwright-core';
import { LoadlineError } from '../../model/errors.js';
import type { FleetEvent } from '../../model/trial.js';
import type { ProbeBrowser } from './browser-set.js';
import { BrowserSet, type Loss } from './browser-set.js';

const noFiles = { camera: 'none', microphone: 'none' };

/** A set whose browsers are launched by `launch`, which is told how many launches there were before. */
function setOf(launch: (before: number) => Promise<ProbeBrowser>) {
  const events: FleetEvent[] = [];
  const losses: Loss[] = [];
  const yields: (boolean | undefined)[] = [];
  let launches = 0;
  const options = {
    browser: { chromiumPath: '/c', temporaryRoot: '/t' },
    files: noFiles,
    script: '',
    media: { width: 640, height: 360, framesPerSecond: 30, videoKbps: 500, videoCodec: 'VP8' },
    clock: 0,
    sendingPages: new Set<number>(),
    onCall: async () => null,
    onEvent: (event: FleetEvent) => events.push(event),
    onLost: (loss: Loss) => losses.push(loss),
  } as const;
  const set = new BrowserSet(options, (order) => {
    yields.push(order.yields);
    return launch(launches++);
  });
  return { set, events, losses, yields, launches: () => launches };
}

interface FakeBrowser extends ProbeBrowser {
  readonly closed: () => boolean;
  fall(): void;
}

function fakeBrowser(newPage: () => Promise<Page>): FakeBrowser {
  const listeners: (() => void)[] = [];
  let closed = false;
  return {
    roots: new Set([1]),
    newPage,
    onExit: (listener) => listeners.push(listener),
    close: async () => {
      closed = true;
    },
    closed: () => closed,
    fall: () => {
      for (const listener of listeners) listener();
    },
  };
}

const tooLate = () => {
  const cause = new errors.TimeoutError('Timeout 20000ms exceeded.');
  return new LoadlineError('E_CHROMIUM_START', 'Chromium does not start: /c', { why: cause.message, cause });
};

test('a browser that is late is begun once more, with a warning, and is then one of the set', async () => {
  const browser = fakeBrowser(() => Promise.reject(new Error('never asked')));
  const { set, events, losses, launches } = setOf(async (before) => {
    if (before === 0) throw tooLate();
    return browser;
  });
  expect(await set.launch([{ pages: [] }], 0)).toBeUndefined();
  expect(launches()).toBe(2);
  expect(events.map((event) => (event.type === 'warning' ? event.text : event.type))).toEqual([
    'Browser 0 did not come up and is begun once more: Chromium does not start: /c: Timeout 20000ms exceeded',
  ]);
  expect(set.roots()).toEqual(new Set([1]));
  browser.fall();
  expect(losses).toEqual([{ kind: 'browser', browser: 0, pages: [] }]);
  await set.close();
  expect(browser.closed()).toBe(true);
});

test('a browser whose page does not open in time is ended before it is begun again, and is no loss', async () => {
  const late = new errors.TimeoutError('no page in 15 s');
  const error = new LoadlineError('E_CHROMIUM_START', 'no page', { cause: late });
  const made: FakeBrowser[] = [];
  const { set, losses } = setOf(async () => {
    for (const earlier of made) expect(earlier.closed()).toBe(true);
    const browser = fakeBrowser(() => {
      browser.fall();
      return Promise.reject(error);
    });
    made.push(browser);
    return browser;
  });
  expect(await set.launch([{ pages: [0] }], 1)).toMatchObject({ browser: 0 });
  expect(made.map((browser) => browser.closed())).toEqual([true, true]);
  expect(losses).toEqual([]);
  expect(set.roots().size).toBe(0);
  await set.close();
});

test('browsers of encoded probes wait for those that run, and those of full ones, which judge, do not', async () => {
  const { set, yields } = setOf(async () => fakeBrowser(() => Promise.reject(new Error('never asked'))));
  await set.launch([{ pages: [] }, { pages: [], encoded: true }], 0);
  expect(yields.sort()).toEqual([false, true]);
});
