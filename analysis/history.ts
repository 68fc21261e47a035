import type { HeadroomLevel } from '../model/headroom.js';
import type { TrialOutcome } from '../model/run.js';
import type { TrialRecord } from '../model/trial.js';
import type { ThresholdResult } from '../model/verdict.js';
import { levelOfValues } from './judge/levels.js';
import { worstHeadroom } from './search.js';

/**
 * The past of a search as its records tell it, stored or new: the same records give the same next step. A trial that
 * someone interrupted is left out; it says nothing of the server, and nothing of the probes either.
 */
export function historyOf(records: readonly TrialRecord[]): TrialOutcome[] {
  return records.filter((record) => !wasInterrupted(record)).map(outcomeOf);
}

function outcomeOf({ size, verdict }: TrialRecord): TrialOutcome {
  const { kind, probesExhausted } = verdict;
  return {
    size,
    verdict: kind,
    ...(probesExhausted === undefined ? {} : { probesExhausted }),
    ...(kind === 'stable' ? { headroom: worstHeadroom(verdict.thresholds.flatMap(levelsOf)) } : {}),
  };
}

/** How near it came, the nearer of two: at its worst probe or stream over the whole window, and second by second. */
function levelsOf(threshold: ThresholdResult): HeadroomLevel[] {
  const whole = levelOfValues(threshold.worst === null ? [] : [threshold.worst], threshold);
  return threshold.level === undefined ? [whole] : [whole, threshold.level];
}

function wasInterrupted({ verdict }: TrialRecord): boolean {
  return verdict.reasons.some(({ code }) => code === 'interrupted');
}
