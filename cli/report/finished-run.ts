import { historyOf } from '../../analysis/search/history.js';
import { unfinishedAnswer } from '../../analysis/search/known-so-far.js';
import type { FinishedRun } from '../../analysis/search/result.js';
import type { Answer } from '../../model/run.js';
import type { StoredRun } from '../../store/run-directory/read-run.js';

/** A stored run as reports take it. One that was killed has no answer of its own: it is void, with what was known. */
export function finishedRun(stored: StoredRun): FinishedRun {
  const { manifest, records, directory } = stored;
  return { manifest, records, answer: answerOf(stored), runDirectory: directory };
}

function answerOf({ result, records }: StoredRun): Answer {
  if (!result) return unfinishedAnswer(historyOf(records), 'The run did not come to its end.');
  const { outcome, limit, because, cutShort, drift } = result;
  return { outcome, ...limit, because, ...(cutShort ? { cutShort } : {}), ...(drift ? { drift } : {}) };
}
