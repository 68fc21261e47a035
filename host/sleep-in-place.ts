import { foreignCalls } from './foreign-calls.js';
import { once } from './once.js';

/** Never changed, so that who waits for a change sleeps. */
const unchanged = new Int32Array(new SharedArrayBuffer(4));

const sleeper = once((): ((ms: number) => void) => {
  const usleep = foreignCalls()?.bind('int usleep(uint32_t)');
  // What V8 does around a wait costs as much as waking does.
  return usleep ? (ms) => void usleep(Math.ceil(ms * 1000)) : (ms) => void Atomics.wait(unchanged, 0, 0, ms);
});

/** Sleeps less than a second without a turn of Node's loop; returns at once where nothing is left to sleep. */
export function sleepInPlace(ms: number): void {
  if (ms > 0) sleeper()(ms);
}
