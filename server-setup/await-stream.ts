import { setTimeout as pause } from 'node:timers/promises';
import { LoadlineError } from '../model/errors.js';

interface Waiting {
  /** From the first request on. */
  readonly withinMs: number;
  readonly signal: AbortSignal;
  /** After how long to come again; undefined: this no means something else. */
  readonly waitMsOf: (refusal: LoadlineError) => number | undefined;
  /** Told once, of the first no. */
  readonly onWaiting: (refusal: LoadlineError) => void;
}

/** Of the time that a probe has to join: a server that is silent is then named before the probe gives up. */
const requestShare = 0.9;
/** The same for a stream that is not there: what is left is for ICE, DTLS and the first frame. */
const streamShare = 0.7;

/** How long any one request may take, and how long a viewer waits for a stream that is not there. */
export const waitsOf = ({ joinMsMax }: { readonly joinMsMax: number }) => ({
  requestTimeoutMs: joinMsMax * requestShare,
  streamWithinMs: joinMsMax * streamShare,
});

/** Between two requests where the server does not say when to come again. */
export const againAfterMs = 500;

/** A viewer whose stream is not there yet comes again. Rejects with the last no when its time is over, or would be. */
export async function onceThere<T>(view: () => Promise<T>, waiting: Waiting): Promise<T> {
  const { withinMs, signal, waitMsOf, onWaiting } = waiting;
  const untilMs = performance.now() + withinMs;
  for (let nth = 0; ; nth += 1) {
    try {
      return await view();
    } catch (error) {
      const waitMs = error instanceof LoadlineError ? waitMsOf(error) : undefined;
      if (waitMs === undefined || performance.now() + waitMs > untilMs) throw error;
      if (nth === 0) onWaiting(error as LoadlineError);
      await pause(waitMs, undefined, { signal });
    }
  }
}
