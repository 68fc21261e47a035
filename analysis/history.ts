import type { HeadroomLevel, TrialOutcome } from '../model/run.js';
import type { TrialRecord } from '../model/trial.js';
import type { ThresholdResult } from '../model/verdict.js';
import { headroomOf, worstHeadroom } from './search.js';
import { usedPercentOf } from './summary.js';

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
    ...(kind === 'stable' ? { headroom: worstHeadroom(verdict.thresholds.map(levelOf)) } : {}),
  };
}

/** Of the worst probe or stream: how much of the way from the best there is to the limit it has gone. */
function levelOf(threshold: ThresholdResult): HeadroomLevel {
  const usedPercent = threshold.limit === 0 ? (threshold.passed ? 0 : 100) : usedPercentOf(threshold);
  // Measured against a limit that nothing can be better than: passed, with nothing to spare.
  if (usedPercent === undefined) return threshold.worst === null ? 'back-off' : 'cautious';
  return headroomOf({ samples: [usedPercent], limit: 100, comparison: 'at-most' });
}

function wasInterrupted({ verdict }: TrialRecord): boolean {
  return verdict.reasons.some(({ code }) => code === 'interrupted');
}
