import { answerOfTrials } from '../../analysis/search/answer-of-trials.js';
import { historyOf } from '../../analysis/search/history.js';
import { unfinishedAnswer } from '../../analysis/search/known-so-far.js';
import { runResult } from '../../analysis/search/result.js';
import type { FinishedRun } from '../../model/finished-run.js';
import { given } from '../../model/given.js';
import type { Answer } from '../../model/run.js';
import { serverKinds } from '../../server-setup/kinds.js';
import type { StoredRun } from '../../store/run-directory/read-run.js';
import { wordsAgain } from '../wiring/given-again.js';

/** A stored run as reports take it. One that was killed has no answer of its own: it is void, with what was known. */
export function finishedRun(stored: StoredRun): FinishedRun {
  const { manifest, records, directory, absent } = stored;
  const samplesAbsent = absent.samples.length === 0 ? {} : { samplesAbsent: absent.samples };
  const givenAgain = wordsAgain(manifest.plan, serverKinds);
  return { manifest, records, answer: answerOf(stored), runDirectory: directory, ...samplesAbsent, givenAgain };
}

/** The same run with the answer that its trials give, where the file that held it is missing. */
export function withAnswer(stored: StoredRun): StoredRun {
  const { result, manifest, records } = stored;
  if (result || !answerOfTrials(manifest, records)) return stored;
  return { ...stored, result: runResult(finishedRun(stored)) };
}

function answerOf({ result, records, manifest }: StoredRun): Answer {
  if (!result) {
    // It may have come to its end without its answer: then its trials give that again.
    const derived = answerOfTrials(manifest, records);
    return derived ?? unfinishedAnswer(historyOf(records), 'The run did not come to its end.');
  }
  const { outcome, limit, because, cutShort, interrupted, drift } = result;
  return { outcome, ...limit, stable: limit.stable ?? 0, because, ...given({ cutShort, interrupted, drift }) };
}
