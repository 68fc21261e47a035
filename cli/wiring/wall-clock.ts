import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../trial/parts.js';

export const wallClock: Clock = {
  nowMs: () => Date.now(),
  // The monotonic clock stands still while the machine sleeps: that shows as a step, too.
  steppedMs: () => Date.now() - (performance.timeOrigin + performance.now()),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
};
