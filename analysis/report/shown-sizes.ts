import type { FinishedRun } from '../../model/finished-run.js';
import { driftSentences } from './drift-sentences.js';
import { triedTrial } from './headline.js';

/** The size whose thresholds are shown: the limit, or for a single size that was tried, that one when it passed. */
export function sizeShown(run: FinishedRun): number | null {
  const tried = triedTrial(run);
  if (tried) return tried.verdict.kind === 'stable' ? tried.size : null;
  return run.answer.stable > 0 ? run.answer.stable : null;
}

/** The smallest size that failed, and flaky ones below it: where the reasons are. */
export function failedSizes(run: FinishedRun): number[] {
  const { answer, records } = run;
  const unstable = records.filter((record) => record.verdict.kind === 'unstable').map((record) => record.size);
  const asked = new Set([
    ...answer.flaky,
    ...(answer.failedBelow ?? []),
    ...(answer.unstable === null ? [] : [answer.unstable]),
  ]);
  const tried = triedTrial(run);
  if (tried) asked.add(tried.size);
  return [...new Set(unstable)].filter((size) => asked.has(size)).sort((a, b) => a - b);
}

/** The size that is shown as holding, and those that failed: the ones worth a line each. */
export function sizesTold(run: FinishedRun): readonly number[] {
  const held = sizeShown(run);
  return [...new Set([...(held === null ? [] : [held]), ...failedSizes(run)])];
}

const saidInHeadline: ReadonlySet<string> = new Set(['void', 'server-lost', 'never-connected']);

/** The search's own last word, where the sections below do not say the same. */
export function becauseText(run: FinishedRun): string {
  const { outcome, because: said, cutShort } = run.answer;
  if (outcome === 'drifting') return [said, ...driftSentences(run)].join(' ');
  return saidInHeadline.has(outcome) || (outcome === 'found' && !cutShort) || triedTrial(run) ? '' : said;
}
