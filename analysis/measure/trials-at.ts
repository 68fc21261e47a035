import type { TrialRecord } from '../../model/trial.js';

export function trialsAt(records: readonly TrialRecord[], size: number): TrialRecord[] {
  return records.filter((record) => record.size === size && record.verdict.kind !== 'void');
}
