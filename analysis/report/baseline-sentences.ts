import type { FinishedRun } from '../../model/finished-run.js';
import type { Baseline } from '../../model/trial.js';
import { lowBaseline } from '../judge/summary.js';
import { baselineAfter } from '../measure/baseline.js';
import { numberNear } from '../wording/wording.js';

/** Where larger sizes were measured against a baseline by which too many may have passed. */
export function baselineSentences(run: FinishedRun): string[] {
  const disturbed = disturbedBaseline(run);
  const low = lowBaseline(run);
  return [
    disturbed === undefined
      ? []
      : `Warning: the baseline, trial ${disturbed}, was disturbed. Limits counted from it may be too lax, so less may hold than is told here.`,
    low
      ? `The baseline is low: one session alone sent video at ${numberNear(low.kbps)} kbit/s of the ${low.media.videoKbps} asked for, and larger sizes were measured against that.`
      : [],
  ].flat();
}

/** The disturbed trial that larger sizes were judged by; those after an undisturbed one of its size were not. */
function disturbedBaseline({ records }: FinishedRun): number | undefined {
  const firstSize = records[0]?.size ?? 0;
  let baseline: Baseline | null = null;
  for (const record of records) {
    if (record.size > firstSize && record.verdict.kind !== 'void' && baseline?.disturbedTrial !== undefined)
      return baseline.disturbedTrial;
    baseline = baselineAfter(baseline, firstSize, record);
  }
  return undefined;
}
