import type { StreamSummary, TrialRecord } from '../../model/trial.js';
import { isConfirming } from '../../model/verdict.js';

export function trialsAt(records: readonly TrialRecord[], size: number): TrialRecord[] {
  return records.filter((record) => record.size === size && record.verdict.kind !== 'void');
}

/** Without those that only steered: they ended early as clearly stable, or passed on a disturbed probe side. */
export function confirmingAt(records: readonly TrialRecord[], size: number): TrialRecord[] {
  return trialsAt(records, size).filter(isConfirming);
}

/** The stable ones of those. */
export function passesAt(records: readonly TrialRecord[], size: number): TrialRecord[] {
  return confirmingAt(records, size).filter(({ verdict }) => verdict.kind === 'stable');
}

/** The streams of one kind and direction, of all these trials. */
export function streamsOf(trials: readonly TrialRecord[], of: Pick<StreamSummary, 'kind' | 'direction'>) {
  return trials.flatMap(({ streams }) =>
    streams.filter((one) => one.kind === of.kind && one.direction === of.direction),
  );
}
