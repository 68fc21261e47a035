import { unlessAborted } from '../../host/bounded-wait.js';

/** Who publishes in a room by now, under which number, who left it, and who waits for whom. */
export class FeedBook {
  readonly #feeds = new Map<string, number>();
  readonly #left = new Set<string>();
  #waiting: (() => void)[] = [];

  /** From here on others can subscribe: Janus refuses (428) as long as the publisher is not connected. */
  put(participant: string, feed: number): void {
    this.#feeds.set(participant, feed);
    this.#left.delete(participant);
    this.#wake();
  }

  /** It closed its connection itself. */
  leave(participant: string): void {
    this.#left.add(participant);
    this.#wake();
  }

  /** Which of these have left, asked until it is all of them, and no longer than `withinMs`. */
  async leftOf(participants: readonly string[], withinMs: number): Promise<readonly string[]> {
    const inTime = AbortSignal.timeout(withinMs);
    const isAll = () => participants.every((one) => this.#left.has(one));
    while (!isAll() && !inTime.aborted) {
      await unlessAborted(inTime, this.#news()).catch(() => undefined);
    }
    return participants.filter((one) => this.#left.has(one));
  }

  #news(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
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
      await unlessAborted(signal, this.#news());
    }
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const look of waiting) look();
  }
}
