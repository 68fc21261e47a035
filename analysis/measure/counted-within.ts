import type { TimeWindow } from './window.js';

/**
 * Of readings that count what happened since the one before, those that count nothing of before the window or after it.
 * The first of all has nothing before it, and may count anything.
 */
export function countedWithin<Reading extends { readonly atMs: number }>(
  readings: readonly Reading[],
  { startMs, endMs }: TimeWindow,
): readonly Reading[] {
  const inOrder = [...readings].sort((a, b) => a.atMs - b.atMs);
  return inOrder.filter(({ atMs }, nth) => {
    const before = inOrder[nth - 1];
    return before !== undefined && before.atMs >= startMs && atMs <= endMs;
  });
}
