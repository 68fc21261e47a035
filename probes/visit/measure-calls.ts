import { setTimeout as sleep } from 'node:timers/promises';
import { atMost } from '../../host/bounded-wait.js';

interface MeasureCalls {
  measure(): unknown;
  isOver(): boolean;
  /** Why a call told nothing, a sentence part. */
  onFailed(why: string): void;
  /** What it threw, in such words. */
  thrown(error: unknown): string;
  readonly everyMs?: number;
  /** One that waits for what does not come is not waited for any longer, and called again. */
  readonly waitMs?: number;
}

/** Calls a script's `measure` each second until it is over, one call after the other. Tells the first that failed. */
export async function measureCalls(calls: MeasureCalls): Promise<void> {
  const { measure, isOver, onFailed, thrown, everyMs = 1_000, waitMs = 10_000 } = calls;
  let hasFailed = false;
  while (!isOver()) {
    const next = sleep(everyMs, undefined, { ref: false });
    const why = await atMost(waitMs, (async () => measure())()).then(
      ({ inTime }) => (inTime ? undefined : `has not returned in ${waitMs / 1000} s`),
      (error: unknown) => thrown(error),
    );
    if (why !== undefined && !hasFailed && !isOver()) onFailed(why);
    hasFailed ||= why !== undefined;
    await next;
  }
}
