/** Those who play at the same time are measured at the same time. */
export class Meeting {
  #awaited: number;
  #resolve: () => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;
  readonly #all: Promise<void>;

  constructor(count: number) {
    this.#awaited = count;
    this.#all = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#all.catch(() => undefined);
  }

  /** Resolves when all have come; rejects when one of them does not. */
  come(): Promise<void> {
    this.#awaited -= 1;
    if (this.#awaited === 0) this.#resolve();
    return this.#all;
  }

  failed(error: unknown): void {
    this.#reject(error);
  }
}
