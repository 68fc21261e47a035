import type { Page } from 'playwright-core';
import { within } from '../../host/bounded-wait.js';
import { LoadlineError } from '../../model/errors.js';
import { errors } from './driver.js';
import { launchFlags } from './launch-flags.js';
import type { MediaFiles } from './media/media-files.js';
import type { ContextOrder } from './open-context.js';
import { type BrowserLife, openBrowser } from './opened-browser.js';

const pageBoundMs = 15_000;

export interface BrowserOptions extends Omit<ContextOrder, 'flags' | 'headed'> {
  readonly files: MediaFiles;
  /** SHA-256 of a public key (base64) that is accepted although nobody vouches for it. */
  readonly trustedKey?: string;
}

/** One Chromium with a profile of its own. */
export interface ProbeBrowser extends BrowserLife {
  /** Rejects with E_CHROMIUM_START when there is none in 15 s. */
  newPage(): Promise<Page>;
}

/** Starts a headless Chromium. Rejects with E_CHROMIUM_START and what was seen; then nothing is left behind. */
export async function launchBrowser(options: BrowserOptions): Promise<ProbeBrowser> {
  const { files, trustedKey, ...place } = options;
  const flags = launchFlags(files, trustedKey === undefined ? [] : [trustedKey]).map(({ flag }) => flag);
  const { context, life } = await openBrowser({ ...place, flags });
  return {
    ...life,
    newPage: () =>
      within(pageBoundMs, context.newPage(), () => new errors.TimeoutError(`no page in ${pageBoundMs / 1000} s`)).catch(
        (error: unknown) => {
          throw notUp(error);
        },
      ),
  };
}

/** A browser that runs, but not as probes need it. */
export function notUp(error: unknown): LoadlineError {
  const why = error instanceof Error ? (error.message.split('\n')[0] ?? error.message) : String(error);
  return new LoadlineError('E_CHROMIUM_START', 'Chromium does not come up with its pages.', { why, cause: error });
}
