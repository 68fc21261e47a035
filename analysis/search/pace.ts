import type { Timing } from '../../model/plan.js';
import type { TrialRecord } from '../../model/trial.js';
import { percentile } from '../statistics/statistics.js';

/** Participants per second, at most: above, the probe host starts browsers and pages slower than that. */
const fastest = 16;
/** Times to answer are flat as long as the slowest twentieth stays within this of what it was in the first trial. */
const flatFactor = 1.5;
const flatSlackMs = 100;

/**
 * How fast participants join in the next trial (`--pace auto`): twice as fast after each stable trial in which the server
 * answered as soon as in the first, half as fast where it did not, and for good as slow as the plan has it once somebody who joined
 * faster failed to join. Pure, so that a resumed run goes on as it would have.
 */
export function nextPace({ pacePerSecond, autoPace }: Timing, records: readonly TrialRecord[]): number {
  if (!autoPace) return pacePerSecond;
  let [pace, most, usualMs] = [pacePerSecond, Math.max(fastest, pacePerSecond), undefined as number | undefined];
  for (const record of records) {
    const had = record.pacePerSecond ?? pacePerSecond;
    const answersMs = percentile(
      record.probes.flatMap(({ join }) => join.answerMs ?? []),
      95,
    );
    if (answersMs !== undefined) usualMs ??= answersMs;
    const isSlow = answersMs !== undefined && answersMs > flatFactor * (usualMs ?? answersMs) + flatSlackMs;
    if (wasHurried(record)) most = pacePerSecond;
    else if (had > pacePerSecond && isSlow) most = Math.max(pacePerSecond, had / 2);
    else if (record.verdict.kind === 'stable' && !isSlow) pace = Math.max(pace, 2 * had);
    pace = Math.min(pace, most);
  }
  return pace;
}

function wasHurried({ verdict }: TrialRecord): boolean {
  return verdict.reasons.some(({ code }) => code === 'hurried');
}
