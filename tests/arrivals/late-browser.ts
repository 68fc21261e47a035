import { errors } from 'playwright-core';
import { LoadlineError } from '../../model/errors.js';
import { BrowserSet } from '../../probes/chromium/browser-set.js';
import type { openTrial } from '../../probes/chromium/open-trial.js';
import { ProbeCalls } from '../../probes/ledger/probe-calls.js';

const nothing = () => undefined;

/** The parts of a trial whose browsers are so slow that none of them is ever up in time. */
export const withLateBrowsers: typeof openTrial = async ({ media }, order) => {
  const calls = new ProbeCalls(order, { offerToPage: async () => null, toPage: nothing });
  const browsers = new BrowserSet(
    {
      browser: { chromiumPath: '/c', temporaryRoot: '/t' },
      files: { camera: 'none', microphone: 'none' },
      script: '',
      media,
      clock: 0,
      sendingPages: new Set(),
      onCall: async () => null,
      onEvent: nothing,
      onLost: nothing,
    },
    async () => {
      const cause = new errors.TimeoutError('Timeout 20000ms exceeded.');
      throw new LoadlineError('E_CHROMIUM_START', 'Chromium does not start: /c', { why: cause.message, cause });
    },
  );
  return { calls, browsers };
};
