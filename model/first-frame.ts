import type { JoinTimes } from './trial.js';

/**
 * How long a probe waited for its first frame and sound, milliseconds: from when the last participant it needs had
 * started, or from its own start if that was later. What nobody sends yet, no server can deliver. Absent when nothing
 * came, and 0 for a mix that showed a picture before anyone else was there.
 */
export function firstFrameWaitMs({ firstFrameMs, sourcesStartedMs = 0 }: JoinTimes): number | undefined {
  return firstFrameMs === undefined ? undefined : Math.max(0, firstFrameMs - sourcesStartedMs);
}
