import { readFileSync } from 'node:fs';
import { pid } from 'node:process';

/** The event loop is to come round so often. */
const everyMs = 2;

/**
 * The longest time that the event loop did not come round, as CPU time of its own thread (proc(5), schedstat: the first
 * number are nanoseconds on a CPU): so others at work on the machine do not lengthen it.
 */
export class ThreadBlocks {
  private last = 0;
  private most = 0;
  private timer: ReturnType<typeof setInterval> | undefined;

  /** Anew. */
  watch(): void {
    this.stop();
    this.last = threadMs();
    this.most = 0;
    this.timer = setInterval(() => this.read(), everyMs);
  }

  /** The longest since then. */
  longestMs(): number {
    this.read();
    return Math.max(0, this.most - everyMs);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private read(): void {
    const now = threadMs();
    this.most = Math.max(this.most, now - this.last);
    this.last = now;
  }
}

/** The first thread of a process, which runs its event loop, has the number of the process. */
function threadMs(): number {
  return Number(readFileSync(`/proc/self/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}
