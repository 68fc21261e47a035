import { answerOfTrials, contradictionOf } from '../../analysis/search/answer-of-trials.js';
import { LoadlineError } from '../../model/errors.js';
import type { RunTrust } from '../../store/run-directory/own-run.js';
import { readRun, type StoredRun } from '../../store/run-directory/read-run.js';

/**
 * Reads a stored run and holds its answer against its trials: every command that reads runs begins here. Throws E_RUN
 * for a run that was changed, and for an answer that no search could give of these trials.
 */
export async function openRun(path: string, trust: RunTrust = 'own'): Promise<StoredRun> {
  const stored = await readRun(path, trust);
  const { result, records, manifest, warnings } = stored;
  if (!result) {
    if (!answerOfTrials(manifest, records)) return stored;
    const text = 'result.json is missing; the answer is derived from the stored trials.';
    return { ...stored, warnings: [...warnings, text] };
  }
  const contradiction = contradictionOf(manifest, records, result);
  if (!contradiction) return stored;
  if (contradiction.kind === 'other') {
    const text = `result.json is not what follows from the stored trials: ${contradiction.text}.`;
    return { ...stored, warnings: [...warnings, text] };
  }
  throw new LoadlineError('E_RUN', 'result.json does not fit the trials of the stored run.', {
    where: 'result.json',
    why: contradiction.text,
    todo: 'put result.json and trials.jsonl back from a copy; without result.json the answer is derived from the trials',
  });
}
