import type { BrowserContext } from 'playwright-core';
import { atMost } from '../../host/bounded-wait.js';
import { signalGroup } from '../../host/child-processes.js';
import { findRoots } from '../../host/processes.js';
import { removeFolder } from '../../host/remove-folder.js';
import { LoadlineError } from '../../model/errors.js';
import { withoutColours } from '../../model/plain-text.js';
import { type ContextOrder, openContext } from './open-context.js';

const closeBoundMs = 5_000;

/** The life of one Chromium, whatever its pages are for. */
export interface BrowserLife {
  /** Top processes of its tree; empty where there is no /proc. */
  readonly roots: ReadonlySet<number>;
  /** Called once if it ends without having been closed. */
  onExit(listener: () => void): void;
  /** Ends it within 5 s, by force if it must, and removes its folder. Idempotent, never rejects. */
  close(): Promise<void>;
}

interface OpenedBrowser {
  readonly context: BrowserContext;
  readonly life: BrowserLife;
}

/** Starts a Chromium. Rejects with E_CHROMIUM_START and what was seen; then nothing is left behind. */
export async function openBrowser(order: ContextOrder): Promise<OpenedBrowser> {
  const { context, profile, folder } = await openContext(order).catch((error: unknown) => {
    throw error instanceof LoadlineError ? error : startError(order.chromiumPath, error, order.headed);
  });
  const roots = await findRoots((argument) => argument === `--user-data-dir=${profile}`);
  return { context, life: lifeOf(context, roots, folder) };
}

function lifeOf(context: BrowserContext, roots: ReadonlySet<number>, folder: string): BrowserLife {
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

/** Chromium's own words are in the driver's message, between many lines of its command line. */
export function startError(path: string, error: unknown, headed = false): LoadlineError {
  const text = error instanceof Error ? error.message : String(error);
  const lines = withoutColours(text).split('\n').map(withoutMarks);
  const telling = lines.filter((line) =>
    /error|fail|cannot|missing|no such|denied|not found|display|exitCode/i.test(line),
  );
  const lacksScreen = headed && /X server|XServer|display/i.test(text);
  return new LoadlineError('E_CHROMIUM_START', `Chromium does not start: ${path}`, {
    where: path,
    why: [...new Set(telling)].slice(0, 4).join(' · ') || (lines[0] ?? ''),
    todo: lacksScreen ? noScreen : 'try it by hand with --headless --version, or name another with --chromium PATH',
    cause: error,
  });
}

const noScreen = 'leave --headed out, or give it a screen: DISPLAY, or xvfb-run in front of the command';

/** Each process of a browser says the same, behind marks of the driver and of itself. */
const withoutMarks = (line: string): string =>
  line.replace(/^\s*-?\s*(\[pid=\d+\](\[err\]|\[out\])?)?\s*(\[\d[\d:/.]*:[A-Z]+:[^\]]*\])?\s*/, '').trim();
