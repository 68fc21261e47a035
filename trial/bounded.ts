import type { Clock } from './parts.js';

type BoundedResult<T> = { readonly inTime: true; readonly value: T } | { readonly inTime: false };

/**
 * Does a piece of work, but waits for it no longer than `boundMs`. Work that is late has its signal aborted and is left
 * behind: what it does later, failing included, concerns nobody. Rejects as the work does, while it is waited for.
 */
export async function bounded<T>(
  clock: Clock,
  boundMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<BoundedResult<T>> {
  const late = new AbortController();
  const waiting = new AbortController();
  const result = work(late.signal).then((value) => ({ inTime: true, value }) as const);
  const timeout = clock.sleep(boundMs, waiting.signal).then(
    () => ({ inTime: false }) as const,
    () => new Promise<never>(() => undefined),
  );
  try {
    const first = await Promise.race([result, timeout]);
    if (!first.inTime) late.abort(new Error(`not done in ${boundMs} ms`));
    return first;
  } finally {
    // A reason of its own, because the default one costs a stack trace, twice a second for hours.
    waiting.abort('no longer waited for');
    result.catch(() => undefined);
  }
}

/** Waits for work that heeds `signal`, at most `graceMs` after its abort; then rejects with its reason. */
export async function abandonedAfter<T>(
  clock: Clock,
  signal: AbortSignal,
  graceMs: number,
  work: Promise<T>,
): Promise<T> {
  const waiting = new AbortController();
  const abandoned = new Promise<never>((_, reject) => {
    const onAbort = () => {
      clock.sleep(graceMs, waiting.signal).then(
        () => reject(signal.reason),
        () => undefined,
      );
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true, signal: waiting.signal });
  });
  try {
    return await Promise.race([work, abandoned]);
  } finally {
    waiting.abort('no longer waited for');
  }
}
