import type { Reason } from '../../model/verdict.js';
import { numberNear, unitAfter } from '../wording/wording.js';
import type { JudgeInput } from './judge-input.js';
import { limitRow } from './threshold-row.js';

/**
 * A bad probe is one that failed any limit, or did not come up, or fell. A plan may allow some; by default none may.
 * What is said of all probes together (the p95 of the first frame, an own limit on a median) belongs to no probe, so it
 * stays.
 */
export function tolerate(noticed: readonly Reason[], { thresholds, probesAsked }: JudgeInput) {
  const { badProbes } = thresholds;
  if (!badProbes) return { noticed, thresholds: [] };
  const bad = new Set(noticed.filter(ofOneProbe).map(({ probe }) => probe));
  const { max, unit } = badProbes;
  const share = probesAsked === 0 ? 0 : (100 * bad.size) / probesAsked;
  const worst = unit === '%' ? share : bad.size;
  const limitText = `${numberNear(max)}${unitAfter(unit)}`;
  const id = { of: 'bad-probes' } as const;
  const row = limitRow({ id, code: 'bad-probes', unit, limit: max, limitText, comparison: 'at-most' }, worst);
  return { noticed: row.passed ? noticed.filter((reason) => !ofOneProbe(reason)) : noticed, thresholds: [row] };
}

export function ofOneProbe({ probe, code }: Reason): boolean {
  return probe !== undefined && code !== 'first-frame-late';
}
