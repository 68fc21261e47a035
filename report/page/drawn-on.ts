import type { MachineCurve } from '../wire/trial-data.js';

type Curve = Pick<MachineCurve, 'atS' | 'values'>;

/**
 * Curves on one axis of time, seconds. The machines are read at moments of their own: between two readings the last one
 * is drawn on, for up to two of its usual steps. What was not read for longer is a gap, null.
 */
export function drawnOn(curves: readonly Curve[]): {
  readonly times: readonly number[];
  readonly lines: readonly (readonly (number | null)[])[];
} {
  const holds = curves.map(({ atS }) => 2 * usualStepS(atS));
  const breaks = curves.flatMap(({ atS }, nth) => {
    const forS = holds[nth] ?? 0;
    return atS.filter((at, index) => (atS[index + 1] ?? at) - at > forS).map((at) => at + forS);
  });
  const times = [...new Set([...curves.flatMap(({ atS }) => atS), ...breaks])].sort((a, b) => a - b);
  return { times, lines: curves.map((curve, nth) => held(curve, times, holds[nth] ?? 0)) };
}

function held({ atS, values }: Curve, times: readonly number[], forS: number): (number | null)[] {
  let next = 0;
  return times.map((time) => {
    while (next < atS.length && (atS[next] ?? 0) <= time) next += 1;
    const isHeld = next > 0 && time - (atS[next - 1] ?? 0) < forS;
    return isHeld ? (values[next - 1] ?? null) : null;
  });
}

/** The middle one of its steps; a second where there is none. */
function usualStepS(atS: readonly number[]): number {
  const steps = atS.slice(1).map((at, index) => at - (atS[index] ?? at));
  return steps.sort((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 1;
}
