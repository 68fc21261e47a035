import { availableParallelism } from 'node:os';
import { LoadlineError } from '../../model/errors.js';

/** Browsers that all start at once take CPU from one another until each of them is late. Chosen. */
export const startsAtOnce = Math.max(2, availableParallelism());

/** A browser that was begun twice and did not come up: an accident of one trial, whose load it lacks. */
export class NotStarted extends Error {
  constructor(
    readonly browser: number,
    override readonly cause: LoadlineError,
  ) {
    super(`browser ${browser} did not come up, begun twice: ${wordsOf(cause)}`);
  }
}

interface BrowserStarts {
  readonly atOnce: number;
  /**
   * Brings one up, in a time of its own that counts from here. Rejects with E_CHROMIUM_START when it does not come up,
   * and then leaves nothing of it behind.
   */
  start(browser: number): Promise<void>;
  /** Told before a browser is begun for the second time. */
  onAgain(browser: number, why: string): void;
  /** Whether nobody wants them any more. */
  isOver(): boolean;
}

/**
 * Starts browsers a few at a time. One that does not come up is begun once more; the first that still does not ends the
 * starting. Resolves with that one where others came up, or where it was merely late: a trial later it may start.
 * Rejects as `start` does where Chromium refuses and none has come up, because then none will.
 */
export async function startBrowsers(browsers: number, starts: BrowserStarts): Promise<NotStarted | undefined> {
  const waiting = Array.from({ length: browsers }, (_, browser) => browser);
  const found = { started: 0, failed: false };
  const bring = async (browser: number): Promise<void> => {
    try {
      await twice(browser, starts);
      found.started += 1;
    } catch (error) {
      found.failed = true;
      throw error;
    }
  };
  const startInTurn = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (found.failed || starts.isOver()) return;
      await bring(next);
    }
  };
  try {
    await Promise.all(Array.from({ length: starts.atOnce }, startInTurn));
    return undefined;
  } catch (error) {
    if (!(error instanceof NotStarted)) throw error;
    if (found.started === 0 && !wasLate(error.cause)) throw error.cause;
    return error;
  }
}

async function twice(browser: number, { start, onAgain, isOver }: BrowserStarts): Promise<void> {
  try {
    await start(browser);
  } catch (error) {
    if (!isNotStarted(error) || isOver()) throw error;
    onAgain(browser, wordsOf(error));
    await start(browser).catch((second: unknown) => {
      throw isNotStarted(second) ? new NotStarted(browser, second) : second;
    });
  }
}

/** All else, such as a full disk, is the same at the second try. */
function isNotStarted(error: unknown): error is LoadlineError {
  return error instanceof LoadlineError && error.code === 'E_CHROMIUM_START';
}

/** Of the driver's errors and of our own, whichever bound was passed. */
function wasLate({ cause }: LoadlineError): boolean {
  return cause instanceof Error && cause.name === 'TimeoutError';
}

function wordsOf({ message, why }: LoadlineError): string {
  return (why === undefined ? message : `${message}: ${why}`).replace(/\.+$/, '');
}
