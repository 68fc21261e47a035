import type { BrowserContext, Page } from 'playwright-core';
import { atMost, within } from '../../host/bounded-wait.js';
import { signalGroup } from '../../host/child-processes.js';
import { removeFolder } from '../../host/owned-folders.js';
import { findRoots } from '../../host/processes.js';
import { LoadlineError } from '../../model/errors.js';
import { errors } from './driver.js';
import { launchFlags } from './launch-flags.js';
import type { MediaFiles } from './media/media-files.js';
import { openContext } from './open-context.js';

const closeBoundMs = 5_000;
const pageBoundMs = 15_000;

export interface BrowserOptions {
  readonly chromiumPath: string;
  readonly files: MediaFiles;
  readonly temporaryRoot: string;
  /** Words in front of Chromium's own that start it inside a network. */
  readonly inside?: readonly string[];
  /** SHA-256 of a public key (base64) that is accepted although nobody vouches for it. */
  readonly trustedKey?: string;
}

/** One Chromium with a profile of its own. */
export interface ProbeBrowser {
  /** Top processes of its tree; empty where there is no /proc. */
  readonly roots: ReadonlySet<number>;
  /** Rejects with E_CHROMIUM_START when there is none in 15 s. */
  newPage(): Promise<Page>;
  /** Called once if it ends without having been closed. */
  onExit(listener: () => void): void;
  /** Ends it within 5 s, by force if it must, and removes its folder. Idempotent, never rejects. */
  close(): Promise<void>;
}

/** Starts a headless Chromium. Rejects with E_CHROMIUM_START and what was seen; then nothing is left behind. */
export async function launchBrowser(options: BrowserOptions): Promise<ProbeBrowser> {
  const { chromiumPath, temporaryRoot, inside, files, trustedKey } = options;
  const flags = launchFlags(files, trustedKey).map(({ flag }) => flag);
  const order = { chromiumPath, temporaryRoot, flags, ...(inside ? { inside } : {}) };
  const { context, profile, folder } = await openContext(order).catch((error: unknown) => {
    throw error instanceof LoadlineError ? error : startError(chromiumPath, error);
  });
  const roots = await findRoots((argument) => argument === `--user-data-dir=${profile}`);
  return runningBrowser(context, roots, folder);
}

function runningBrowser(context: BrowserContext, roots: ReadonlySet<number>, folder: string): ProbeBrowser {
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
    newPage: () =>
      within(pageBoundMs, context.newPage(), () => new errors.TimeoutError(`no page in ${pageBoundMs / 1000} s`)).catch(
        (error: unknown) => {
          throw notUp(error);
        },
      ),
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

/** A browser that runs, but not as probes need it. */
export function notUp(error: unknown): LoadlineError {
  const why = error instanceof Error ? (error.message.split('\n')[0] ?? error.message) : String(error);
  return new LoadlineError('E_CHROMIUM_START', 'Chromium does not come up with its pages.', { why, cause: error });
}

/** Chromium's own words are in the driver's message, between many lines of its command line. */
function startError(path: string, error: unknown): LoadlineError {
  const text = error instanceof Error ? error.message : String(error);
  const lines = text.split('\n').map((line) => line.replace(/^\s*-?\s*(\[pid=\d+\](\[err\]|\[out\])?)?\s*/, '').trim());
  const telling = lines.filter((line) => /error|fail|cannot|missing|no such|denied|not found|exitCode/i.test(line));
  return new LoadlineError('E_CHROMIUM_START', `Chromium does not start: ${path}`, {
    where: path,
    why: [...new Set(telling)].slice(0, 4).join(' · ') || (lines[0] ?? ''),
    todo: 'try it by hand with --headless --version, or name another with --chromium PATH',
    cause: error,
  });
}
