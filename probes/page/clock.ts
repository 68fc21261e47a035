/** Epoch milliseconds that never jump: the page's start on the wall clock plus a monotonic time (W3C hr-time). */
export const nowMs = (): number => performance.timeOrigin + performance.now();

export interface Tick {
  /** When it was due, epoch milliseconds. */
  readonly dueMs: number;
  readonly lateMs: number;
}

/**
 * Calls `onTick` each second at the same phase of the wall clock's second. Each tick is set from the clock, so that
 * lateness does not add up; a page that was held up for seconds has one late tick and then the next one due: what was
 * missed stays missing. Returns the function that ends it.
 */
export function startTicks(phaseMs: number, onTick: (tick: Tick) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const arm = (lastDueMs: number): void => {
    const now = nowMs();
    const nextMs = (Math.floor((now - phaseMs) / 1000) + 1) * 1000 + phaseMs;
    // A timer counts whole milliseconds and may be a part of one early: the same second is not due again then.
    const dueMs = nextMs - lastDueMs < 500 ? nextMs + 1000 : nextMs;
    timer = setTimeout(
      () => {
        const lateMs = Math.max(0, nowMs() - dueMs);
        arm(dueMs);
        onTick({ dueMs, lateMs });
      },
      Math.ceil(dueMs - now),
    );
  };
  arm(Number.NEGATIVE_INFINITY);
  return () => clearTimeout(timer);
}
