import type { BrowserContext, BrowserContextOptions } from 'playwright-core';
import { launchFlags } from '../chromium/launch-flags.js';
import type { MediaFiles } from '../chromium/media/media-files.js';
import type { ContextOrder } from '../chromium/open-context.js';
import { type BrowserLife, openBrowser, startError } from '../chromium/opened-browser.js';
import { reachFlags } from './app-reach.js';
import type { ReadyVisit } from './visit-order.js';
import { contextOptions } from './visited-page.js';

interface VisitingBrowserOptions extends Omit<ContextOrder, 'flags' | 'yields'> {
  readonly files: MediaFiles;
  /** What is visited: its address, and SHA-256 of public keys (base64) that are taken whoever vouches for them. */
  readonly app?: Pick<ReadyVisit, 'url' | 'trustedKeys'> & Partial<Pick<ReadyVisit, 'library' | 'encoded'>>;
}

/** One Chromium that gives each visitor a browser context, with cookies and storage of its own. */
export interface VisitingBrowser extends BrowserLife {
  /** Absent: with nothing but what every visitor has. */
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>;
}

/** Rejects with E_CHROMIUM_START and what was seen; then nothing is left behind. */
export async function launchVisitingBrowser(options: VisitingBrowserOptions): Promise<VisitingBrowser> {
  const { chromiumPath, temporaryRoot, inside, files, headed, app } = options;
  const reach = app && inside ? await reachFlags(app.url, inside) : [];
  const flags = [
    ...launchFlags(files, app?.trustedKeys).map(({ flag }) => flag),
    ...reach,
    ...(app?.library ? ['--process-per-site'] : []),
  ];
  const order = {
    chromiumPath,
    temporaryRoot,
    flags,
    yields: app?.encoded === true,
    ...(inside ? { inside } : {}),
    ...(headed ? { headed } : {}),
  };
  const { context, life } = await openBrowser(order);
  return {
    ...life,
    newContext: async (more = contextOptions) => {
      const browser = context.browser();
      if (!browser) throw startError(chromiumPath, 'the browser is gone');
      return browser.newContext(more);
    },
  };
}
