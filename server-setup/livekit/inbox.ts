/** What the server says by itself, kept in its order until somebody takes it. */
export class Inbox<T> {
  #kept: T[] = [];
  #wake: () => void = () => undefined;
  #ended: Error | undefined;

  put(one: T): void {
    this.#kept.push(one);
    this.#wake();
  }

  /** Nothing more comes: whoever waits is told why. */
  end(why: Error): void {
    this.#ended ??= why;
    this.#wake();
  }

  /** All that is kept, once there is something. Rejects with why nothing more comes, or with the signal's reason. */
  async next(signal: AbortSignal): Promise<readonly [T, ...T[]]> {
    for (;;) {
      const [first, ...more] = this.#kept;
      this.#kept = [];
      if (first !== undefined) return [first, ...more];
      signal.throwIfAborted();
      if (this.#ended) throw this.#ended;
      await new Promise<void>((resolve) => {
        const done = (): void => {
          signal.removeEventListener('abort', done);
          resolve();
        };
        signal.addEventListener('abort', done, { once: true });
        this.#wake = done;
      });
    }
  }
}
