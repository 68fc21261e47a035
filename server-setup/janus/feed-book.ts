import { unlessAborted } from '../../host/bounded-wait.js';

/** Who publishes in a room by now, under which number, and who waits for whom. */
export class FeedBook {
  readonly #feeds = new Map<string, number>();
  #waiting: (() => void)[] = [];

  /** From here on others can subscribe: Janus refuses (428) as long as the publisher is not connected. */
  put(participant: string, feed: number): void {
    this.#feeds.set(participant, feed);
    this.#wake();
  }

  feedOf(participant: string): number | undefined {
    return this.#feeds.get(participant);
  }

  /** Those of a list who publish. */
  #presentOf(participants: readonly string[]): readonly string[] {
    return participants.filter((one) => this.#feeds.has(one));
  }

  /** Resolves when at least one of them publishes; rejects with the signal's reason. */
  async anyOf(participants: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
    for (;;) {
      signal.throwIfAborted();
      const present = this.#presentOf(participants);
      if (present.length > 0) return present;
      await unlessAborted(signal, new Promise<void>((resolve) => this.#waiting.push(resolve)));
    }
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const look of waiting) look();
  }
}
