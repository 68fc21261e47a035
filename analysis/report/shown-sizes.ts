import type { Drift } from '../../model/answer-parts.js';
import type { FinishedRun } from '../../model/finished-run.js';
import { numberNear } from '../wording/wording.js';
import { countOf, triedTrial } from './headline.js';

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

type Cost = Drift['costs'][number];

const costWords: Readonly<Record<Cost['of'], (value: number) => string>> = {
  serverCores: (value) => `${numberNear(value)} cores`,
  serverMemoryMb: (value) => `${numberNear(value)} MB of memory`,
  firstFrameMs: (value) => `${numberNear(value / 1000)} s to the first frame`,
};

/** What shows that a server got worse, beside its verdicts, and what can be done about it. */
function driftSentences(run: FinishedRun): string[] {
  const { drift } = run.answer;
  if (!drift) return [];
  return [...drift.costs.map((cost) => costSentence(run, cost)), remedy];
}

function costSentence(run: FinishedRun, { of, size, early, late }: Cost): string {
  const words = costWords[of];
  return `The same ${countOf(run, size)}: ${words(early.value)} in trial ${early.trial}, ${words(late.value)} in trial ${late.trial}.`;
}

const remedy =
  'A server that is started anew before each trial has the same limit in each: --reset restart, where Loadline may start it. What it loses with time is a finding of its own.';
