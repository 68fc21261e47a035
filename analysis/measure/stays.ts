import type { ProbeRecord } from '../../model/trial.js';

interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

type Stay = Pick<ProbeRecord, 'there'>;

/** Rates, pictures and jitter buffers of one who has just come up begin: nothing of so long is measured. Chosen. */
export const beginningMs = 2000;
/** Shorter stays are not measured. */
const shortestMs = 3000;

/** From when on one who comes and goes is measured in a window; undefined: it was there before, and is not. */
export function measuredFromMs(fromMs: number, windowStartMs: number): number | undefined {
  return fromMs >= windowStartMs ? fromMs + beginningMs : undefined;
}

/**
 * What is measured of a probe: of one that stays to the end the window, of one that comes and goes its whole stay after
 * the beginning. Rates grow while one is there, so that only whole stays compare; undefined of one whose stay is not
 * wholly in the window.
 */
export function measuredSpan({ there }: Stay, window: Span): Span | undefined {
  if (!there) return window;
  const startMs = measuredFromMs(there.fromMs, window.startMs);
  const { untilMs: endMs } = there;
  if (startMs === undefined || endMs === undefined || endMs > window.endMs) return undefined;
  return endMs - startMs >= shortestMs ? { startMs, endMs } : undefined;
}
