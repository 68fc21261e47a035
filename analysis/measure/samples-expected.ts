import type { ProbeRecord } from '../../model/trial.js';
import type { ProbeTally } from './probe-tally.js';
import { measuredSpan } from './stays.js';

/**
 * A window of 60 s holds 59 whole seconds of a probe at least, 60 when their edges meet. Of one that comes and goes as
 * many are expected as its stay holds after the beginning, where that is wholly in the window.
 */
export function samplesExpected(
  probes: readonly ProbeRecord[],
  got: ReadonlyMap<string, ProbeTally>,
  window: { readonly startMs: number; readonly endMs: number },
): number {
  const upNow = new Map(
    probes
      .filter((probe) => probe.up && probe.failures.length === 0)
      .map((probe) => [probe.participant.id, measuredSpan(probe, window)]),
  );
  const ids = new Set([...upNow.keys(), ...got.keys()]);
  return [...ids].reduce((total, id) => {
    const count = got.get(id)?.ended ?? 0;
    const span = upNow.get(id);
    const atLeast = span ? Math.max(0, Math.floor((span.endMs - span.startMs) / 1000) - 1) : 0;
    return total + Math.max(atLeast, count);
  }, 0);
}
