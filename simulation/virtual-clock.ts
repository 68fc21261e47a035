import type { Clock } from '../trial/parts.js';

interface Sleeper {
  readonly wakesAtMs: number;
  readonly order: number;
  readonly wake: () => void;
}

/**
 * A clock for simulated runs and tests: time stands still while anything has something to do, and leaps to the next
 * sleeper when all wait. Sleepers of the same moment wake in the order in which they went to sleep, one at a time,
 * each after what the one before it set in motion has come to rest; so a run on it is the same each time.
 */
export function virtualClock(startMs: number): Clock {
  return new VirtualClock(startMs);
}

class VirtualClock implements Clock {
  private sleepers: Sleeper[] = [];
  private order = 0;
  private leaping = false;

  constructor(private time: number) {}

  nowMs(): number {
    return this.time;
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const onAbort = () => {
        this.sleepers = this.sleepers.filter((one) => one !== sleeper);
        reject(signal.reason);
      };
      const wake = () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      const sleeper: Sleeper = { wakesAtMs: this.time + Math.max(0, ms), order: this.order, wake };
      this.order += 1;
      signal.addEventListener('abort', onAbort, { once: true });
      this.sleepers.push(sleeper);
      this.leapSoon();
    });
  }

  /** `setImmediate` comes after every promise that can go on has gone on (Node's event loop, "microtasks"). */
  private leapSoon(): void {
    if (this.leaping) return;
    this.leaping = true;
    setImmediate(() => {
      this.leaping = false;
      const next = this.sleepers.reduce<Sleeper | undefined>(earlier, undefined);
      if (!next) return;
      this.sleepers = this.sleepers.filter((one) => one !== next);
      this.time = Math.max(this.time, next.wakesAtMs);
      next.wake();
      this.leapSoon();
    });
  }
}

function earlier(best: Sleeper | undefined, one: Sleeper): Sleeper {
  if (!best || one.wakesAtMs < best.wakesAtMs) return one;
  return one.wakesAtMs === best.wakesAtMs && one.order < best.order ? one : best;
}
