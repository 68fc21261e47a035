import type { LoadlineError } from '../../model/errors.js';

interface Waiter<Message> {
  readonly look: (message: Message) => void;
  readonly giveUp: (error: LoadlineError) => void;
}

interface Wait {
  readonly timeoutMs: number;
  readonly late: () => LoadlineError;
  readonly signal?: AbortSignal | undefined;
}

/** Who waits for which message of a server whose messages do not say what they answer. */
export class AwaitedMessages<Message> {
  readonly #waiters = new Set<Waiter<Message>>();

  look(message: Message): void {
    for (const waiter of [...this.#waiters]) waiter.look(message);
  }

  /** Everybody who waits is told so. */
  giveUp(error: LoadlineError): void {
    for (const waiter of [...this.#waiters]) waiter.giveUp(error);
  }

  /**
   * Resolves with the first message to come that `pick` makes something of. Rejects in bounded time with what `late`
   * makes, what `pick` throws, the error of `giveUp`, or the signal's reason.
   */
  next<T>(pick: (message: Message) => T | undefined, { timeoutMs, late, signal }: Wait): Promise<T> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const end = (act: () => void): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        this.#waiters.delete(waiter);
        act();
      };
      const look = (message: Message): void => {
        try {
          const picked = pick(message);
          if (picked !== undefined) end(() => resolve(picked));
        } catch (error) {
          end(() => reject(error));
        }
      };
      const waiter: Waiter<Message> = { look, giveUp: (error) => end(() => reject(error)) };
      const onAbort = (): void => end(() => reject(signal?.reason));
      const timer = setTimeout(() => waiter.giveUp(late()), timeoutMs);
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiters.add(waiter);
    });
  }
}
