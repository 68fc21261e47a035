import { setTimeout as sleep } from 'node:timers/promises';
import type { FleetClock } from './coming-and-going.js';

/** Finer than the clock that is set, and never set. */
export const monotonicClock: FleetClock = {
  nowMs: () => performance.timeOrigin + performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
};
