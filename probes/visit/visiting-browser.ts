import type { BrowserContext } from 'playwright-core';
import { atMost } from '../../host/bounded-wait.js';
import { signalGroup } from '../../host/child-processes.js';
import { removeFolder } from '../../host/owned-folders.js';
import { findRoots } from '../../host/processes.js';
import { LoadlineError } from '../../model/errors.js';
import { launchFlags } from '../chromium/launch-flags.js';
import type { MediaFiles } from '../chromium/media/media-files.js';
import { openContext } from '../chromium/open-context.js';
import { contextOptions } from './visited-page.js';

const closeBoundMs = 5_000;

export interface VisitingBrowserOptions {
  readonly chromiumPath: string;
  readonly files: MediaFiles;
  readonly temporaryRoot: string;
  readonly inside?: readonly string[];
  /** True: with windows on the screen. */
  readonly headed?: boolean;
}

/** One Chromium that gives each visitor a browser context, with cookies and storage of its own. */
export interface VisitingBrowser {
  /** Top processes of its tree; empty where there is no /proc. */
  readonly roots: ReadonlySet<number>;
  newContext(): Promise<BrowserContext>;
  /** Called once if it ends without having been closed. */
  onExit(listener: () => void): void;
  /** Ends it within 5 s, by force if it must, and removes its folder. Idempotent, never rejects. */
  close(): Promise<void>;
}

/** Rejects with E_CHROMIUM_START and what was seen; then nothing is left behind. */
export async function launchVisitingBrowser(options: VisitingBrowserOptions): Promise<VisitingBrowser> {
  const { chromiumPath, temporaryRoot, inside, files, headed } = options;
  const flags = launchFlags(files).map(({ flag }) => flag);
  const order = { chromiumPath, temporaryRoot, flags, ...(inside ? { inside } : {}), ...(headed ? { headed } : {}) };
  const { context, profile, folder } = await openContext(order).catch((error: unknown) => {
    throw error instanceof LoadlineError ? error : notStarted(chromiumPath, error);
  });
  const roots = await findRoots((argument) => argument === `--user-data-dir=${profile}`);
  let closing: Promise<void> | undefined;
  let ended = false;
  const listeners: (() => void)[] = [];
  context.once('close', () => {
    ended = true;
    if (!closing) for (const listener of listeners) listener();
  });
  const end = async (): Promise<void> => {
    const asked = context.close().catch(() => undefined);
    await atMost(closeBoundMs, asked);
    // The driver starts each browser as the leader of a process group.
    if (!ended) for (const root of roots) signalGroup(root);
    await removeFolder(folder);
  };
  return {
    roots,
    newContext: async () => {
      const browser = context.browser();
      if (!browser) throw notStarted(chromiumPath, 'the browser is gone');
      return browser.newContext(contextOptions);
    },
    onExit: (listener) => {
      if (ended && !closing) listener();
      else listeners.push(listener);
    },
    close: () => {
      closing ??= end();
      return closing;
    },
  };
}

function notStarted(path: string, error: unknown): LoadlineError {
  const text = error instanceof Error ? error.message : String(error);
  const lines = text.split('\n').map((line) => line.trim());
  const telling = lines.find((line) => /error|cannot|missing|no such|denied|not found|display/i.test(line));
  return new LoadlineError('E_CHROMIUM_START', `Chromium does not start: ${path}`, {
    where: path,
    why: telling ?? lines[0] ?? '',
    todo: 'try it by hand with --headless --version, or name another with --chromium PATH',
    cause: error,
  });
}
