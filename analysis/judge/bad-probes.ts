import type { Reason, ThresholdResult } from '../../model/verdict.js';
import { numberNear } from '../wording/wording.js';
import type { JudgeInput } from './judge-input.js';
import { labelOf } from './threshold-label.js';

/** What is left of the reasons, and a row of its own, when the plan puts up with a number of bad probes. */
interface Tolerated {
  readonly noticed: readonly Reason[];
  readonly thresholds: readonly ThresholdResult[];
}

/**
 * A bad probe is one that failed any limit, or did not come up, or fell. A plan may allow some; by default none may.
 * What is said of all probes together (the p95 of the first frame, an own limit on a median) belongs to no probe, so it
 * stays.
 */
export function tolerate(noticed: readonly Reason[], { thresholds, probesAsked }: JudgeInput): Tolerated {
  const { badProbes } = thresholds;
  if (!badProbes) return { noticed, thresholds: [] };
  const bad = new Set(noticed.filter(ofOneProbe).map(({ probe }) => probe));
  const { max, unit } = badProbes;
  const share = probesAsked === 0 ? 0 : (100 * bad.size) / probesAsked;
  const worst = unit === '%' ? share : bad.size;
  const passed = worst <= max;
  const unitText = unit === '%' ? ' %' : '';
  const id = { of: 'bad-probes' } as const;
  const row: ThresholdResult = {
    id,
    code: 'bad-probes',
    label: labelOf(id),
    limitText: `≤ ${numberNear(max)}${unitText}`,
    unit,
    limit: max,
    comparison: 'at-most',
    worst,
    passed,
  };
  return { noticed: passed ? noticed.filter((reason) => !ofOneProbe(reason)) : noticed, thresholds: [row] };
}

function ofOneProbe({ probe, code }: Reason): boolean {
  return probe !== undefined && code !== 'first-frame-late';
}
