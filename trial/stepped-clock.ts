import type { Clock } from './parts.js';

/** What NTP slews moves both clocks alike. A delay between processes that began before and after is off by a step. */
const stepMs = 200;

/** How far the wall clock was set since this was called, milliseconds. Of a clock that cannot be set: never. */
export function stepOf(clock: Clock): () => number {
  const before = clock.steppedMs?.() ?? 0;
  return () => (clock.steppedMs?.() ?? 0) - before;
}

/**
 * Why a trial says nothing: pages time their samples by a clock that was read when they were opened, everything else by
 * the one that was set. The next trial has one clock again.
 */
export function stepText(byMs: number): string | undefined {
  if (Math.abs(byMs) < stepMs) return undefined;
  const seconds = `${Number((Math.abs(byMs) / 1000).toFixed(1))} s`;
  return byMs > 0
    ? `The system clock was set forward by ${seconds} during the trial, or the machine slept so long.`
    : `The system clock was set back by ${seconds} during the trial.`;
}
