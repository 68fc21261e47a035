import { setMaxListeners } from 'node:events';

/** Waits on the clock of this host. The conductor has its own (`trial/bounded.ts`), which runs on virtual time, too. */

type Waited<T> = { readonly inTime: true; readonly value: T } | { readonly inTime: false };

/**
 * Waits for work no longer than `ms`, and rejects as it does while it is waited for. Late work goes on: what becomes of
 * it, failing included, concerns nobody.
 */
export async function atMost<T>(ms: number, work: Promise<T>): Promise<Waited<T>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Waited<T>>((resolve) => {
    timer = setTimeout(() => resolve({ inTime: false }), ms);
  });
  try {
    return await Promise.race([work.then((value) => ({ inTime: true, value }) as const), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The same, where lateness is an error. */
export async function within<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  const waited = await atMost(ms, work);
  if (!waited.inTime) throw late();
  return waited.value;
}

/** Rejects with the signal's reason when it aborts first; work that does not heed the signal is left behind. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const waiting = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    const onAbort = (): void => reject(signal.reason);
    // One for each wait that the signal ends, which may be many; Node takes more than ten for a leak and prints so.
    setMaxListeners(0, signal);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true, signal: waiting.signal });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    // With a reason, because the default one costs a stack trace.
    waiting.abort('no longer waited for');
  }
}

/** Whether it resolves. */
export function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}
