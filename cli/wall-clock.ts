import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../trial/parts.js';

/** The real time. */
export const wallClock: Clock = {
  nowMs: () => Date.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
};
