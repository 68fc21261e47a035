import type { ProbeRecord } from '../../model/trial.js';
import type { ProbeTally } from './probe-tally.js';

/** A window of 60 s holds 59 whole seconds of a probe at least, 60 when their edges meet. */
export function samplesExpected(
  probes: readonly ProbeRecord[],
  got: ReadonlyMap<string, ProbeTally>,
  widthMs: number,
): number {
  const atLeast = Math.max(0, Math.floor(widthMs / 1000) - 1);
  const upNow = new Set(
    probes.filter((probe) => probe.up && probe.failures.length === 0).map((probe) => probe.participant.id),
  );
  const ids = new Set([...upNow, ...got.keys()]);
  return [...ids].reduce((total, id) => {
    const count = got.get(id)?.ended ?? 0;
    return total + (upNow.has(id) ? Math.max(atLeast, count) : count);
  }, 0);
}
