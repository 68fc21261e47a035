import { setTimeout as pause } from 'node:timers/promises';
import { WhipRefusal } from './refusals.js';

/** Between two requests where the server does not say when to come again. */
const againAfterMs = 500;

interface Waiting {
  /** From the first request on. */
  readonly withinMs: number;
  readonly signal: AbortSignal;
  /** Told once, of the first no. */
  readonly onWaiting: (refusal: WhipRefusal) => void;
}

/**
 * A viewer whose stream is not there yet (404), or is not ready (409), comes again, when the server says so
 * (`Retry-After`) or soon; with any other no only when the server says when. Rejects with the last no when its time is
 * over, or would be.
 */
export async function onceThere<T>(view: () => Promise<T>, { withinMs, signal, onWaiting }: Waiting): Promise<T> {
  const untilMs = performance.now() + withinMs;
  for (let nth = 0; ; nth += 1) {
    try {
      return await view();
    } catch (error) {
      if (!(error instanceof WhipRefusal)) throw error;
      const waitMs = waitOf(error);
      if (waitMs === undefined || performance.now() + waitMs > untilMs) throw error;
      if (nth === 0) onWaiting(error);
      await pause(waitMs, undefined, { signal });
    }
  }
}

function waitOf({ status, retryAfterMs }: WhipRefusal): number | undefined {
  if (status === 404 || status === 409) return Math.max(retryAfterMs ?? againAfterMs, 1);
  return status === 503 || status === 429 ? retryAfterMs : undefined;
}
